// Builds the web page.
//
//   node scripts/app.mjs [folder [address]]    with a folder, also collects all files for a static host there;
//                                              with its address, links to it are shared with a preview image

import { fileURLToPath } from "node:url";
import { ensureApp, exportApp } from "./setup/app.mjs";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));
try {
  console.log(ensureApp());
  if (process.argv[2]) console.log(exportApp(process.argv[2], process.argv[3]));
} catch (error) {
  console.error(`app: ${error.message}`);
  process.exitCode = 1;
}
