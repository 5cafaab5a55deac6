import type { Group } from "three";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";

/** What three's GLTFLoader returns for a file. */
export interface ThreeFile {
  scene: Group;
  animations: { name: string }[];
}

/**
 * Loads a GLB with three's GLTFLoader. Node cannot decode images: each becomes an empty one, which is all the
 * loader needs to build materials.
 */
export async function loadWithThree(bytes: Uint8Array): Promise<ThreeFile> {
  const shims: Record<string, unknown> = {
    self: globalThis,
    navigator: { userAgent: "node" },
    createImageBitmap: async () => ({ width: 1, height: 1, close() {} }),
    ProgressEvent: class extends Event {},
  };
  for (const [name, value] of Object.entries(shims)) {
    if (!(name in globalThis))
      Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  }
  const buffer = bytes.slice().buffer;
  return (await new GLTFLoader().parseAsync(buffer, "")) as unknown as ThreeFile;
}
