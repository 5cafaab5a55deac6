import type { Budget } from "./budget.ts";
import type { DracoLoader } from "./gltf/decode-compressed.ts";
import type { ResolveUri } from "./gltf/gltf-source.ts";

/** What a format needs to know besides the bytes. */
export interface LoadContext {
  /** Fetches files kept beside the one being read. */
  resolve?: ResolveUri | undefined;
  /** Gives the Draco decoder; Node needs none. */
  draco?: DracoLoader | undefined;
  /** What the file may take. */
  budget?: Budget | undefined;
}
