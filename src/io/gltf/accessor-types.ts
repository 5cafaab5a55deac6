const TYPE_SIZES: Record<string, number> = {
  SCALAR: 1,
  VEC2: 2,
  VEC3: 3,
  VEC4: 4,
  MAT2: 4,
  MAT3: 9,
  MAT4: 16,
};

const COMPONENT_BYTES: Record<number, number> = {
  5120: 1,
  5121: 1,
  5122: 2,
  5123: 2,
  5125: 4,
  5126: 4,
};

/** glTF component types by their number in the file. */
export const BYTE = 5120;
export const UNSIGNED_BYTE = 5121;
export const SHORT = 5122;
export const UNSIGNED_SHORT = 5123;
export const UNSIGNED_INT = 5125;
export const FLOAT = 5126;

/** Components of an accessor type such as VEC3; undefined for an unknown one. */
export function typeSize(type: string): number | undefined {
  return TYPE_SIZES[type];
}

/** Bytes of a component type such as 5126; undefined for an unknown one. */
export function componentBytes(componentType: number): number | undefined {
  return COMPONENT_BYTES[componentType];
}
