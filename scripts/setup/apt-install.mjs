import { spawnSync } from "node:child_process";
import { runCommand } from "./run-command.mjs";

/** Whether Debian or Ubuntu packages can be installed without prompts. */
export function canInstall() {
  return process.getuid?.() === 0 && spawnSync("apt-get", ["--version"]).status === 0;
}

/** Installs Debian or Ubuntu packages; `failure` is the error message with the remedy. */
export function aptInstall(packages, failure) {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  runCommand("apt-get", ["-qq", "update"], { failure, env });
  const install = ["-qq", "-y", "--no-install-recommends", "install", ...packages];
  runCommand("apt-get", install, { failure, env });
}
