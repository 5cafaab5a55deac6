import validator from "gltf-validator";

/** A message of Khronos' validator. */
export interface GltfIssue {
  code: string;
  message: string;
  /** 0 error, 1 warning, 2 information, 3 hint. */
  severity: number;
  pointer?: string;
}

/** Warnings about where the node of a skinned mesh stands, and that it has a transform, which has no effect. */
const ABOUT_TREE = /^NODE_SKINNED_MESH_(?:NON_ROOT|LOCAL_TRANSFORMS)$/;

/**
 * What Khronos' validator says of a GLB or glTF: errors and warnings only. Skinned meshes may stand anywhere in the
 * node tree, as artists' files have them, unless `isStrict`.
 *
 * @param sidecars files a .gltf refers to, by URI
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
