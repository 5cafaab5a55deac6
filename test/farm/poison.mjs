// Preloaded into workers: a file named crash ends the process that reads it, one named hang never lets it go.

import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import path from "node:path";

const { createReadStream } = fs;

fs.createReadStream = (file, ...rest) => {
  const name = path.basename(String(file));
  if (name.startsWith("crash")) process.kill(process.pid, "SIGSEGV");
  // For all the computing it does, it hears nothing.
  while (name.startsWith("hang"));
  return createReadStream(file, ...rest);
};
syncBuiltinESMExports();
