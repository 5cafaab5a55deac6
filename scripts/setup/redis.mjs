import { spawnSync } from "node:child_process";
import { aptInstall, canInstall } from "./apt-install.mjs";

const HOW_TO =
  "the tests of the farm need a redis-server: install it (Debian and Ubuntu: apt-get install redis-server; " +
  "macOS: brew install redis).";

const isThere = () => spawnSync("redis-server", ["--version"]).status === 0;

/** Ensures that redis-server is available for the tests; installs it if that needs no prompt. */
export function ensureRedis() {
  if (isThere()) return "redis: up to date";
  if (!canInstall()) throw new Error(HOW_TO);
  console.log("redis: installing redis-server (apt-get)");
  const failure = `apt-get could not install redis-server; ${HOW_TO}`;
  aptInstall(["redis-server"], failure);
  if (!isThere()) throw new Error(failure);
  return "redis: done";
}
