// Builds the web page.
//
//   node scripts/app.mjs [folder [address]]    with a folder: also puts there all that a static host needs;
//                                              with the address of that host: links to it are shared with a picture

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
