/** Arrays of one kind end to end. */
export function joinArrays<T extends Float32Array | Int32Array | Uint32Array | Uint8Array>(
  kind: new (size: number) => T,
  pieces: readonly T[],
): T {
  const out = new kind(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let end = 0;
  for (const piece of pieces) {
    out.set(piece, end);
    end += piece.length;
  }
  return out;
}
