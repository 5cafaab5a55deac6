import { rmSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { useFolder } from "../../test/helpers/run-cli.ts";
import { mergeSummaries } from "./bind-folder.ts";
import { lockFolder } from "./lock.ts";
import { summarizeBatch } from "./summary.ts";

const folder = useFolder();

test("a shard that runs again, or was killed during that, has not ended", () => {
  for (const shard of ["1-of-2", "2-of-2"]) {
    const text = JSON.stringify(summarizeBatch([], {}));
    writeFileSync(folder.at(`summary.${shard}.json`), text);
  }
  const unlock = lockFolder(folder.at("."), { index: 2, count: 2 });
  expect(() => mergeSummaries(folder.at("."))).toThrow(/shard 2 of 2 is not done yet/);
  unlock();
  expect(mergeSummaries(folder.at(".")).summary.files).toBe(0);
  // Left by a killed process: its summary is of an earlier run.
  writeFileSync(folder.at("batch.1-of-2.lock"), JSON.stringify({ pid: 2 ** 22 + 1, host: "x" }));
  expect(() => mergeSummaries(folder.at("."))).toThrow(/shard 1 of 2 is not done yet/);
  rmSync(folder.at("batch.1-of-2.lock"));
});
