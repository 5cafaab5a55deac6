import { boneCount } from "../skeleton/bones.ts";
import { type BoneDistances, emptyNearest, mergeNearest } from "./bone-distances.ts";
import { createHollowSearch, type HollowSearch } from "./hollow-search.ts";
import {
  addBone,
  openLimits,
  type SearchControl,
  type SearchLimits,
  type SearchScene,
  searchAllBones,
} from "./search-scene.ts";

/** Runs of bones per worker: enough to balance slow bones, few enough messages. */
const RUNS_PER_WORKER = 6;

/**
 * Searches from all bones in workers; equal to `searchAllBones` bit for bit.
 *
 * Distances are rounded before they are compared and ties go to the lower bone, so the distribution over
 * workers does not matter. Without SharedArrayBuffer each worker gets a copy of the scene.
 */
export async function searchInPool(
  scene: SearchScene,
  threads: number,
  spawn: SpawnWorker,
  control: SearchControl = {},
): Promise<BoneDistances> {
  const count = Math.min(threads, boneCount(scene.bones));
  const workers = Array.from({ length: count }, spawn).filter((worker) => worker !== undefined);
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

/**
 * Moves the typed arrays of a plain object to shared memory, so that workers need no copies; returns the
 * object itself if shared memory is not available.
 */
export function shareArrays<T extends object>(value: T): T {
  if (typeof SharedArrayBuffer === "undefined") return value;
  const entries = Object.entries(value).map(([key, item]) => [key, shareItem(item)]);
  return Object.fromEntries(entries) as T;
}

function shareItem(item: unknown): unknown {
  if (ArrayBuffer.isView(item)) return sharedCopy(item as Float32Array);
  return typeof item === "object" && item !== null ? shareArrays(item) : item;
}

function sharedCopy(array: Float32Array): unknown {
  const buffer = new SharedArrayBuffer(array.byteLength);
  const Kind = array.constructor as new (buffer: SharedArrayBuffer) => Float32Array;
  const copy = new Kind(buffer);
  copy.set(array);
  return copy;
}

/** Requests to a worker: the scene and its limits first, then runs of bones, finally "finish". */
type SearchRequest =
  | { scene: SearchScene; limits: SearchLimits }
  | { from: number; to: number }
  | "finish";

/** Answers of a worker: the number of bones done of a run, or all its distances at the end. */
type SearchAnswer = { done: number } | { nearest: BoneDistances };

/** A worker thread or web worker. */
export interface SearchWorker {
  post(request: SearchRequest): void;
  onAnswer(listener: (answer: SearchAnswer) => void): void;
  onError(listener: (error: Error) => void): void;
  stop(): void;
}

/** Starts a worker; returns undefined if workers are not available. */
export type SpawnWorker = () => SearchWorker | undefined;

/** Creates the worker's side of a {@link SearchWorker}: handles the requests it receives. */
export function createSearchServer(
  answer: (message: SearchAnswer) => void,
): (request: SearchRequest) => void {
  let scene: SearchScene;
  let search: HollowSearch;
  let nearest: BoneDistances;
  let limits: SearchLimits;
  return (request) => {
    if (request === "finish") {
      answer({ nearest });
    } else if ("scene" in request) {
      ({ scene, limits } = request);
      search = createHollowSearch(scene.space);
      nearest = emptyNearest(scene.positions.length / 3, scene.k);
    } else {
      const to = Math.min(request.to, boneCount(scene.bones));
      for (let b = request.from; b < to; b++) addBone(scene, search, b, nearest, limits);
      answer({ done: to - request.from });
    }
  };
}
