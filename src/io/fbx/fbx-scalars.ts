/** How one kind of number stands in a binary FBX. */
interface FbxScalar {
  bytes: number;
  read(view: DataView, at: number): number | bigint;
}

/** Kinds of numbers by their letters; of an array the same, in lower case. */
export const FBX_SCALARS: Readonly<Record<string, FbxScalar>> = {
  C: { bytes: 1, read: (view, at) => view.getUint8(at) },
  B: { bytes: 1, read: (view, at) => view.getUint8(at) },
  Y: { bytes: 2, read: (view, at) => view.getInt16(at, true) },
  I: { bytes: 4, read: (view, at) => view.getInt32(at, true) },
  F: { bytes: 4, read: (view, at) => view.getFloat32(at, true) },
  D: { bytes: 8, read: (view, at) => view.getFloat64(at, true) },
  L: { bytes: 8, read: (view, at) => view.getBigInt64(at, true) },
};
