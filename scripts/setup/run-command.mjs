import { spawnSync } from "node:child_process";

/** Runs a command with inherited output; throws `failure` if it fails. */
export function runCommand(command, args, { failure, env = process.env }) {
  const shell = process.platform === "win32" && command.endsWith(".cmd");
  const { status } = spawnSync(command, args, { stdio: "inherit", env, shell });
  if (status !== 0) throw new Error(failure);
}
