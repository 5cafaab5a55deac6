import { describe, expect, test } from "vitest";
import { createQueue, memoryNeed } from "./pool.ts";

const MB = 2 ** 20;

function files(...sizes: number[]) {
  return sizes.map((size, i) => ({
    file: `${i}`,
    output: `${i}`,
    inputPath: "",
    outputPath: "",
    bytes: size * MB,
  }));
}

describe("createQueue", () => {
  test("hands out the largest first, and no more at once than memory holds", async () => {
    const all = files(1, 8, 2, 4);
    const memory = memoryNeed(all[1]) + memoryNeed(all[0]);
    const queue = createQueue(all, memory);
    expect(await queue.take()).toBe(all[1]);
    // Neither 4 nor 2 fit beside 8; 1 does.
    expect(await queue.take()).toBe(all[0]);
    const waiting = queue.take();
    const early = await Promise.race([waiting, Promise.resolve("nothing")]);
    expect(early).toBe("nothing");
    queue.give(all[1]);
    expect(await waiting).toBe(all[3]);
  });

  test("hands out a file that is too large when nothing else runs", async () => {
    const all = files(900, 1);
    const queue = createQueue(all, 10 * MB);
    expect(await queue.take()).toBe(all[0]);
    queue.give(all[0]);
    expect(await queue.take()).toBe(all[1]);
    queue.give(all[1]);
    expect(await queue.take()).toBeUndefined();
  });

  test("lets those who wait go when it is closed", async () => {
    const all = files(5, 5);
    const queue = createQueue(all, 1);
    await queue.take();
    const waiting = queue.take();
    queue.close();
    expect(await waiting).toBeUndefined();
  });
});
