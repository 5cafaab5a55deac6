import validator from "gltf-validator";

/** A message of Khronos' validator. */
export interface GltfIssue {
  code: string;
  message: string;
  /** 0 error, 1 warning, 2 information, 3 hint. */
  severity: number;
  pointer?: string;
}

/**
 * What Khronos' validator says of a GLB or glTF: errors and warnings only.
 *
 * @param sidecars files a .gltf refers to, by URI
 */
export async function validateGltf(
  bytes: Uint8Array,
  sidecars: ReadonlyMap<string, Uint8Array> = new Map(),
): Promise<GltfIssue[]> {
  const report = await validator.validateBytes(bytes, {
    maxIssues: 0,
    externalResourceFunction: async (uri: string) => {
      const found = sidecars.get(uri) ?? sidecars.get(encodeURIComponent(uri));
      if (!found) throw new Error(`validateGltf: nothing at ${uri}.`);
      return found;
    },
  });
  return report.issues.messages.filter((issue: GltfIssue) => issue.severity < 2);
}
