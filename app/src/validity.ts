/** Loads the Khronos glTF validator, and counts the errors in the bytes of a GLB. */
export async function validityOf(bytes: Uint8Array<ArrayBuffer>): Promise<{ errors: number }> {
  const { validateBytes } = await import("gltf-validator");
  const { issues } = await validateBytes(bytes, { maxIssues: 5000 });
  return { errors: issues.numErrors };
}
