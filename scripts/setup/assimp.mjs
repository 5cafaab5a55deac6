import { spawnSync } from "node:child_process";
import { aptInstall, canInstall } from "./apt-install.mjs";

const isThere = () => spawnSync("assimp", ["version"]).status === 0;

/** Ensures that the command line of assimp is available; installs it if that needs no prompt. */
export function ensureAssimp() {
  if (isThere()) return;
  const failure =
    "the checks with assimp need its command line: install it (Debian and Ubuntu: apt-get install assimp-utils).";
  if (!canInstall()) throw new Error(failure);
  console.log("assimp: installing assimp-utils (apt-get)");
  aptInstall(["assimp-utils"], failure);
  if (!isThere()) throw new Error(failure);
}
