// Preloaded into workers: a file named crash ends the process that reads it, one named hang blocks it forever.

import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import path from "node:path";

const { createReadStream } = fs;

fs.createReadStream = (file, ...rest) => {
  const name = path.basename(String(file));
  if (name.startsWith("crash")) process.kill(process.pid, "SIGSEGV");
  // A blocked process handles no messages.
  while (name.startsWith("hang"));
  return createReadStream(file, ...rest);
};
syncBuiltinESMExports();
