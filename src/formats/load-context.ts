import type { Budget } from "./budget.ts";
import type { DracoLoader } from "./gltf/decode-compressed.ts";
import type { ResolveUri } from "./gltf/gltf-source.ts";

/** The environment a format is read in. */
export interface LoadContext {
  /** Fetches files next to the one being read. */
  resolve?: ResolveUri | undefined;
  /** Loads the Draco decoder; not needed in Node. */
  draco?: DracoLoader | undefined;
  /** The memory limit. */
  budget?: Budget | undefined;
}
