import { checkNumber } from "../finish/check-finish-options.ts";
import { InputError } from "../input-error.ts";
import { DIRECTIONS } from "../skeleton/find-up.ts";
import { MAX_RESOLUTION, MIN_RESOLUTION } from "../voxel/build-grid.ts";
import type { SolveOptions } from "./solver.ts";

const PROVIDERS: readonly unknown[] = [undefined, "auto", "cpu", "webgpu", "wasm"];

/** Refuses options of a method that cannot be worked with, with an `InputError` that says which. */
export function checkSolveOptions(options: SolveOptions): void {
  if (typeof options !== "object" || options === null) {
    throw new InputError("The options must be an object.");
  }
  checkNumber("resolution", options.resolution, MIN_RESOLUTION, MAX_RESOLUTION, true);
  checkNumber("threads", options.threads, 1, 1024, true);
  checkNumber("proxyVertices", options.proxyVertices, 1, Infinity);
  const { model, provider, up, onProgress } = options;
  if (model !== undefined && !(model instanceof Uint8Array)) {
    throw new InputError("model must be the bytes of an .onnx file, a Uint8Array.");
  }
  if (!PROVIDERS.includes(provider)) {
    throw new InputError(`provider must be auto, cpu, webgpu or wasm; got "${String(provider)}".`);
  }
  checkUp(up);
  if (onProgress !== undefined && typeof onProgress !== "function") {
    throw new InputError("onProgress must be a function.");
  }
}

/** Refuses a direction that is none. */
export function checkUp(up: SolveOptions["up"]): void {
  if (up === undefined || up === "auto" || DIRECTIONS.includes(up)) return;
  throw new InputError(`up must be one of auto, ${DIRECTIONS.join(", ")}; got "${String(up)}".`);
}
