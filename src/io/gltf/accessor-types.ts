/** Numbers in a row, by the type of an accessor. */
export const TYPE_SIZES: Readonly<Record<string, number>> = {
  SCALAR: 1,
  VEC2: 2,
  VEC3: 3,
  VEC4: 4,
  MAT2: 4,
  MAT3: 9,
  MAT4: 16,
};

interface ComponentType {
  bytes: number;
  read(view: DataView, at: number): number;
  /** What stands for 1 where whole numbers are shares. */
  whole?: number;
  /** Draco's name for it. */
  draco: `DT_${string}`;
}

/** glTF component types by their number in the file. */
export const UNSIGNED_INT = 5125;
export const FLOAT = 5126;

/** What is to know of each. */
export const COMPONENTS: Readonly<Record<number, ComponentType>> = {
  5120: { bytes: 1, whole: 127, draco: "DT_INT8", read: (view, at) => view.getInt8(at) },
  5121: { bytes: 1, whole: 255, draco: "DT_UINT8", read: (view, at) => view.getUint8(at) },
  5122: { bytes: 2, whole: 32767, draco: "DT_INT16", read: (view, at) => view.getInt16(at, true) },
  5123: {
    bytes: 2,
    whole: 65535,
    draco: "DT_UINT16",
    read: (view, at) => view.getUint16(at, true),
  },
  [UNSIGNED_INT]: { bytes: 4, draco: "DT_UINT32", read: (view, at) => view.getUint32(at, true) },
  [FLOAT]: { bytes: 4, draco: "DT_FLOAT32", read: (view, at) => view.getFloat32(at, true) },
};
