/**
 * The same plain object with its typed arrays moved to shared memory, where there is any, so that
 * workers read them without a copy each; the object itself where there is none.
 */
export function shareArrays<T extends object>(value: T): T {
  if (typeof SharedArrayBuffer === "undefined") return value;
  const entries = Object.entries(value).map(([key, item]) => [key, shareItem(item)]);
  return Object.fromEntries(entries) as T;
}

function shareItem(item: unknown): unknown {
  if (ArrayBuffer.isView(item)) return sharedCopy(item as Float32Array);
  return typeof item === "object" && item !== null ? shareArrays(item) : item;
}

function sharedCopy(array: Float32Array): unknown {
  const buffer = new SharedArrayBuffer(array.byteLength);
  const Kind = array.constructor as new (buffer: SharedArrayBuffer) => Float32Array;
  const copy = new Kind(buffer);
  copy.set(array);
  return copy;
}
