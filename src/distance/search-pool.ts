import { boneCount } from "../skeleton/bones.ts";
import type { BoneDistances } from "./bone-distances.ts";
import { mergeNearest } from "./nearest-k.ts";
import {
  openLimits,
  type SearchControl,
  type SearchLimits,
  type SearchScene,
  searchAllBones,
} from "./search-scene.ts";
import type { SearchWorker, SpawnWorker } from "./search-server.ts";
import { shareArrays } from "./share-arrays.ts";

/** Runs of bones handed out per worker: enough to even out slow bones, few enough messages. */
const RUNS_PER_WORKER = 6;

/**
 * Searches from all bones, shared out among workers; equal to `searchAllBones` bit for bit.
 *
 * Distances are rounded before they are compared and ties go to the lower bone, so it does not matter
 * which worker did which bone. Without SharedArrayBuffer each worker gets a copy of the scene.
 */
export async function searchInPool(
  scene: SearchScene,
  threads: number,
  spawn: SpawnWorker,
  control: SearchControl = {},
): Promise<BoneDistances> {
  const most = Math.min(threads, boneCount(scene.bones));
  const workers = Array.from({ length: most }, spawn).filter((worker) => worker !== undefined);
  if (workers.length === 0) return searchAllBones(scene, control);
  try {
    const shared = shareArrays({ scene, limits: openLimits(scene) });
    return mergeNearest(await runAll(shared, workers, control));
  } finally {
    for (const worker of workers) worker.stop();
  }
}

function runAll(
  shared: { scene: SearchScene; limits: SearchLimits },
  workers: SearchWorker[],
  { onProgress, signal }: SearchControl,
): Promise<BoneDistances[]> {
  const count = boneCount(shared.scene.bones);
  const step = Math.max(1, Math.ceil(count / (workers.length * RUNS_PER_WORKER)));
  let next = 0;
  let done = 0;
  const handOut = (worker: SearchWorker) => {
    worker.post(next < count ? { from: next, to: next + step } : "finish");
    next += step;
  };
  const results = workers.map(
    (worker) =>
      new Promise<BoneDistances>((resolve, reject) => {
        signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
        worker.onError(reject);
        worker.onAnswer((answer) => {
          if ("nearest" in answer) {
            resolve(answer.nearest);
            return;
          }
          done += answer.done;
          onProgress?.(done / count);
          handOut(worker);
        });
        worker.post(shared);
        handOut(worker);
      }),
  );
  signal?.throwIfAborted();
  return Promise.all(results);
}
