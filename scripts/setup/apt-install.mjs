import { spawnSync } from "node:child_process";
import { runCommand } from "./run-command.mjs";

/** Whether packages of Debian or Ubuntu can be installed without questions. */
export function canInstall() {
  return process.getuid?.() === 0 && spawnSync("apt-get", ["--version"]).status === 0;
}

/** Installs packages of Debian or Ubuntu; `failure` says what to do if that fails. */
export function aptInstall(packages, failure) {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  runCommand("apt-get", ["-qq", "update"], { failure, env });
  const install = ["-qq", "-y", "--no-install-recommends", "install", ...packages];
  runCommand("apt-get", install, { failure, env });
}
