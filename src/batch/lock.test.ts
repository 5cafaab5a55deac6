import { fork } from "node:child_process";
import { existsSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { expect, test } from "vitest";
import { useFolder } from "../../test/helpers/run-cli.ts";
import { lockFolder, lockPath } from "./lock.ts";

const folder = useFolder();
const here = () => folder.at(".");
const holder = () => JSON.parse(readFileSync(lockPath(here()), "utf8"));
const leave = (more: object) =>
  writeFileSync(lockPath(here()), JSON.stringify({ ...more, since: "2026-01-01" }));
const HELD = /another batch \(process \d+ on .*\) writes here/;

test("a lock is held until it is released", () => {
  const unlock = lockFolder(here());
  expect(() => lockFolder(here())).toThrow(HELD);
  unlock();
  expect(existsSync(lockPath(here()))).toBe(false);
  lockFolder(here())();
});

test("a reused process id does not hold the lock of its previous process", () => {
  // As left by a container that was killed and restarted: same host name, same process id.
  const unlock = lockFolder(here());
  const own = holder();
  unlock();
  const [namespace] = own.process.split(" ");
  leave({ ...own, process: `${namespace} 1` });
  lockFolder(here())();
});

test("a lock of another process namespace is valid until it is no longer renewed", () => {
  leave({ pid: process.pid, host: hostname(), process: "pid:[1] 1" });
  expect(() => lockFolder(here())).toThrow(HELD);
  const past = new Date(Date.now() - 120_000);
  utimesSync(lockPath(here()), past, past);
  lockFolder(here())();
});

test("a lock of another machine is valid until it is no longer renewed", () => {
  leave({ pid: 1, host: "elsewhere" });
  expect(() => lockFolder(here())).toThrow("process 1 on elsewhere");
  const past = new Date(Date.now() - 120_000);
  utimesSync(lockPath(here()), past, past);
  lockFolder(here())();
});

test("one of many simultaneous processes takes over an abandoned lock", {
  timeout: 120_000,
}, async () => {
  leave({ pid: 2 ** 22 - 1, host: hostname() });
  const program = folder.at("start.mts");
  writeFileSync(
    program,
    `import { lockFolder } from ${JSON.stringify(new URL("./lock.ts", import.meta.url).href)};
     process.send("ready");
     process.on("message", () => {
       try { lockFolder(${JSON.stringify(here())}); process.send("locked"); } catch { process.send("refused"); }
     });`,
  );
  const children = Array.from({ length: 6 }, () =>
    fork(program, { execArgv: ["--import", "tsx"], cwd: process.cwd() }),
  );
  const next = (child: (typeof children)[number]) =>
    new Promise<unknown>((resolve) => child.once("message", resolve));
  await Promise.all(children.map(next));
  const answers = children.map(next);
  for (const child of children) child.send("go");
  const said = await Promise.all(answers);
  for (const child of children) child.kill();
  expect(said.filter((each) => each === "locked")).toHaveLength(1);
});
