import type { DracoLoader } from "../../src/formats/index.ts";

/** Loads the Draco decoder; only called for files that need it. */
export const loadDraco: DracoLoader = async () => {
  const [{ default: createDecoder }, { default: url }] = await Promise.all([
    import("draco3dgltf/draco_decoder_gltf_nodejs.js"),
    import("draco3dgltf/draco_decoder_gltf.wasm?url"),
  ]);
  const wasmBinary = await (await fetch(url)).arrayBuffer();
  return createDecoder({ wasmBinary });
};
