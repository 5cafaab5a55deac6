import type { Pacer } from "../event-loop.ts";
import type { Budget } from "./budget.ts";
import type { DracoLoader } from "./gltf/decode-compressed.ts";
import type { ResolveUri } from "./gltf/gltf-source.ts";

/** The environment a format is read in. */
export interface LoadContext {
  resolve?: ResolveUri | undefined;
  /** Loads the Draco decoder; not needed in Node. */
  draco?: DracoLoader | undefined;
  budget?: Budget | undefined;
  /** Lets the event loop run while a long file is read; by default one that nothing cancels. */
  pacer?: Pacer | undefined;
}
