#!/usr/bin/env node
import { existsSync } from "node:fs";
import module from "node:module";
import path from "node:path";

const program = new URL("../dist/src/cli/program.js", import.meta.url);
if (existsSync(program)) {
  const { cacheFolder } = await import("../dist/src/files/cache-folder.js");
  // From Node 22.8 on, compiled code is kept from run to run; not in the temporary folder, which other users share.
  module.enableCompileCache?.(process.env.NODE_COMPILE_CACHE || path.join(cacheFolder(), "code"));
  // A reader that has seen enough (`heterskin inspect x | head`) is no error.
  process.stdout.on("error", (error) => process.exit(error.code === "EPIPE" ? 0 : 2));
  const { main } = await import(program.href);
  process.exitCode = await main(process.argv.slice(2));
} else {
  console.error("heterskin: it is not built yet; run npm run setup.");
  process.exitCode = 2;
}
