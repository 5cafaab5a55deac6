import { expect, test } from "vitest";
import { makeSample } from "../../samples/index.ts";
import { createHollowScene } from "./hollow.ts";
import { voxelizeCharacter } from "./measure.ts";
import { createSearchServer, type SearchWorker, searchInPool, shareArrays } from "./search-pool.ts";
import { searchAllBones } from "./search-scene.ts";
import { spawnNodeWorker } from "./spawn-node-worker.ts";

const { mesh, skeleton } = makeSample("fox");
const { grid, bones } = voxelizeCharacter({ mesh, skeleton }, { resolution: 32 });
const scene = createHollowScene(mesh, bones, grid, { k: 3 });
const alone = searchAllBones(scene);

test("two threads of Node match one bit by bit", async () => {
  let last = 0;
  const shared = await searchInPool(scene, 2, spawnNodeWorker, {
    onProgress: (fraction) => {
      last = fraction;
    },
  });
  expect(shared).toEqual(alone);
  expect(last).toBe(1);
});

test.each([1, 3, 7])(
  "%i workers with copied memory match one thread bit by bit",
  async (threads) => {
    expect(await searchInPool(scene, threads, spawnCopying)).toEqual(alone);
  },
);

test("without workers the search runs in the calling thread", async () => {
  expect(await searchInPool(scene, 4, () => undefined)).toEqual(alone);
});

test("a worker's error and an abort reach the caller", async () => {
  const broken = (): SearchWorker => ({
    ...spawnCopying(),
    onError: (listener) => queueMicrotask(() => listener(new Error("worker lost"))),
    post: () => {},
  });
  await expect(searchInPool(scene, 2, broken)).rejects.toThrow("worker lost");
  const abort = new AbortController();
  const run = searchInPool(scene, 2, spawnCopying, {
    signal: abort.signal,
    onProgress: () => abort.abort(),
  });
  await expect(run).rejects.toThrow(/abort/i);
});

test("shared arrays hold the same values in shared memory", () => {
  const value = { a: Float32Array.of(1, 2), inner: { b: Uint16Array.of(3) }, text: "x", n: 4 };
  const shared = shareArrays(value);
  expect(shared).toEqual(value);
  expect(shared.a.buffer).toBeInstanceOf(SharedArrayBuffer);
  expect(shared.inner.b.buffer).toBeInstanceOf(SharedArrayBuffer);
});

/** A worker in this thread that receives deep copies, as without shared memory. */
function spawnCopying(): SearchWorker {
  let listener: Parameters<SearchWorker["onAnswer"]>[0] = () => {};
  const serve = createSearchServer((answer) => {
    const copy = structuredClone(answer);
    queueMicrotask(() => listener(copy));
  });
  return {
    post: (request) => {
      const copy = structuredClone(request);
      setTimeout(() => serve(copy));
    },
    onAnswer: (next) => {
      listener = next;
    },
    onError: () => {},
    stop: () => {},
  };
}
