/** Version of the package, inserted by the build. */
declare const HETERSKIN_VERSION: string;

/** Files fetched in the background, inserted by the build. */
declare const FETCHED_FILES: Record<
  "wasm" | "webgpu" | "model" | "step",
  { bytes: number; version: string }
>;

declare module "draco3dgltf/draco_decoder_gltf_nodejs.js" {
  const create: (options: {
    wasmBinary: ArrayBuffer;
  }) => Promise<import("../../src/formats/index.ts").DracoModule>;

  export = create;
}

declare module "gltf-validator" {
  export function validateBytes(
    bytes: Uint8Array,
    options?: { maxIssues?: number },
  ): Promise<{ issues: { numErrors: number; numWarnings: number } }>;
}
