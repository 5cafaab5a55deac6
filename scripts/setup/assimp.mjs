import { spawnSync } from "node:child_process";
import { aptInstall, canInstall } from "./apt-install.mjs";

const isThere = () => spawnSync("assimp", ["version"]).status === 0;

/** Makes sure that assimp's command line is there; installs it where that takes no questions. */
export function ensureAssimp() {
  if (isThere()) return;
  const failure =
    "the checks with assimp need its command line: install it (Debian and Ubuntu: apt-get install assimp-utils).";
  if (!canInstall()) throw new Error(failure);
  console.log("assimp: installing assimp-utils (apt-get)");
  aptInstall(["assimp-utils"], failure);
  if (!isThere()) throw new Error(failure);
}
