import { spawnSync } from "node:child_process";

/** Runs a command in a folder and returns its output; if it fails, throws an error with the output. */
export function run(folder, command, args, { env = {}, status = 0 } = {}) {
  const shell = process.platform === "win32";
  const result = spawnSync(command, args, {
    cwd: folder,
    encoding: "utf8",
    shell,
    // Variables that a developer's npm passes to its scripts must not reach the user's.
    env: { ...strangersEnvironment(), ...env },
    maxBuffer: 1 << 28,
  });
  if (result.status !== status) {
    const line = [command, ...args].join(" ");
    throw new Error(`${line}: ended with ${result.status}\n${result.stdout}\n${result.stderr}`);
  }
  return result.stdout;
}

function strangersEnvironment() {
  const entries = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name));
  return Object.fromEntries(entries);
}
