import type { DracoLoader } from "../../src/formats/index.ts";

/** Draco's decoder, fetched only for files packed with it. */
export const loadDraco: DracoLoader = async () => {
  const [{ default: createDecoder }, { default: url }] = await Promise.all([
    import("draco3dgltf/draco_decoder_gltf_nodejs.js"),
    import("draco3dgltf/draco_decoder_gltf.wasm?url"),
  ]);
  const wasmBinary = await (await fetch(url)).arrayBuffer();
  return createDecoder({ wasmBinary });
};
