import { boneCount } from "../skeleton/bones.ts";
import { type BoneDistances, emptyNearest } from "./bone-distances.ts";
import { createHollowSearch, type HollowSearch } from "./hollow-search.ts";
import { addBone, type SearchLimits, type SearchScene } from "./search-scene.ts";

/** Requests to a worker: the scene and its limits first, then runs of bones, finally "finish". */
export type SearchRequest =
  | { scene: SearchScene; limits: SearchLimits }
  | { from: number; to: number }
  | "finish";

/** Answers of a worker: the number of bones done of a run, or all its distances at the end. */
export type SearchAnswer = { done: number } | { nearest: BoneDistances };

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
