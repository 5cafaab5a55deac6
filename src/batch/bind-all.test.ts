import { expect, test, vi } from "vitest";
import type * as workers from "../processes/worker-host.ts";
import type { BatchFile } from "./list.ts";
import { bindAll } from "./pool.ts";
import type { BatchJob } from "./row.ts";

/** What the hosts were at when they were stopped. */
const stopped = vi.hoisted(() => [] as string[]);
vi.mock("../processes/worker-host.ts", async (load) => ({
  ...(await load<typeof workers>()),
  createWorkerHost: () => {
    let stop = () => undefined as unknown;
    return {
      run: ({ file }: BatchJob) =>
        new Promise((resolve, reject) => {
          if (file.file === "first") resolve({});
          stop = () => {
            // A process takes a while to end.
            setTimeout(() => {
              stopped.push(file.file);
              reject(new Error("ended"));
            }, 20);
          };
        }),
      stop: () => stop(),
    };
  },
}));

const fileOf = (file: string): BatchFile => ({
  file,
  output: file,
  inputPath: file,
  outputPath: file,
  bytes: 0,
});

test("a batch whose journal cannot be written ends all that is under way before it says so", async () => {
  const told: string[] = [];
  const running = bindAll(
    ["first", "second", "third"].map(fileOf),
    { bind: {}, reports: false, pictures: false },
    {
      jobs: 2,
      memory: 2 ** 40,
      onDone: ({ file }) => {
        told.push(file);
        throw new Error("no room");
      },
    },
  );
  await expect(running).rejects.toThrow("no room");
  expect([told, stopped]).toEqual([["first"], expect.arrayContaining(["second"])]);
});
