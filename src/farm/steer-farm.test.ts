import { expect, test } from "vitest";
import type { FarmQueue } from "./queue.ts";
import { drainFarm } from "./status.ts";

test("interrupted draining does not report that nothing runs", async () => {
  const ending = new AbortController();
  const queue = {
    pause: async () => undefined,
    getActiveCount: async () => {
      ending.abort("SIGINT");
      return 1;
    },
  } as unknown as FarmQueue;
  await expect(drainFarm(queue, ending.signal)).rejects.toBe("SIGINT");
});
