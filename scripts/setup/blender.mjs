import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { aptInstall, canInstall } from "./apt-install.mjs";

const HOW_TO =
  "the tests in Blender need Blender 3.3 or later: install it (Debian and Ubuntu: apt-get install blender) " +
  "or set BLENDER to its path.";

/** Returns the command of a Blender on this machine, or undefined. */
export function findBlender() {
  const { BLENDER } = process.env;
  if (BLENDER) return existsSync(BLENDER) ? BLENDER : undefined;
  return spawnSync("blender", ["--version"]).status === 0 ? "blender" : undefined;
}

/** Ensures that Blender is available; installs it if that needs no prompt. */
export function ensureBlender() {
  const found = findBlender();
  if (found) return found;
  if (process.env.BLENDER || !canInstall()) throw new Error(HOW_TO);
  console.log("blender: installing (apt-get)");
  const failure = `apt-get could not install Blender; ${HOW_TO}`;
  aptInstall(["blender", "python3-numpy"], failure);
  const installed = findBlender();
  if (!installed) throw new Error(failure);
  return installed;
}
