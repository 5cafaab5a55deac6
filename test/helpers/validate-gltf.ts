import validator from "gltf-validator";

/** A message of the Khronos glTF validator. */
export interface GltfIssue {
  code: string;
  message: string;
  /** 0 error, 1 warning, 2 information, 3 hint. */
  severity: number;
  pointer?: string;
}

/** Warnings about the parent of a skinned mesh's node, and about its transform, which has no effect. */
const ABOUT_TREE = /^NODE_SKINNED_MESH_(?:NON_ROOT|LOCAL_TRANSFORMS)$/;

/**
 * Runs the Khronos glTF validator on a GLB or glTF; returns errors and warnings only. Skinned meshes may be
 * anywhere in the node tree, as in artists' files, unless `isStrict` is set.
 *
 * @param sidecars files that a .gltf refers to, by URI
 */
export async function validateGltf(
  bytes: Uint8Array,
  sidecars: ReadonlyMap<string, Uint8Array> = new Map(),
  isStrict = false,
): Promise<GltfIssue[]> {
  const report = await validator.validateBytes(bytes, {
    maxIssues: 0,
    externalResourceFunction: async (uri: string) => {
      const found = sidecars.get(uri) ?? sidecars.get(encodeURIComponent(uri));
      if (!found) throw new Error(`validateGltf: nothing at ${uri}.`);
      return found;
    },
  });
  return report.issues.messages.filter(
    ({ severity, code }: GltfIssue) => severity < 2 && (isStrict || !ABOUT_TREE.test(code)),
  );
}
