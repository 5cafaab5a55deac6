import { power } from "../../math/power.ts";

interface Named<T> {
  name: string;
  children: T[];
}

/** Returns the first child with this name. */
export function childOf<T extends Named<T>>(node: T | undefined, name: string): T | undefined {
  return node?.children.find((child) => child.name === name);
}

/** Returns all children with this name. */
export function childrenNamed<T extends Named<T>>(node: T | undefined, name: string): T[] {
  return node?.children.filter((child) => child.name === name) ?? [];
}

/** Values at ascending times, linear in between. */
export interface Curve {
  times: ArrayLike<number>;
  /** One per time, or a row of several. */
  values: ArrayLike<number>;
}

/** Evaluates a column of a curve with rows of `width` values, clamped at its ends. */
export function valueAt({ times, values }: Curve, at: number, width = 1, column = 0): number {
  let low = 0;
  let high = times.length - 1;
  const value = (key: number) => values[key * width + column];
  if (at <= times[low]) return value(low);
  if (at >= times[high]) return value(high);
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= at) low = middle;
    else high = middle;
  }
  const t = (at - times[low]) / (times[high] - times[low] || 1);
  return value(low) + t * (value(high) - value(low));
}

/** Returns the distinct key times of some curves, ascending. */
export function keysOf(curves: Curve[]): number[] {
  return [...new Set(curves.flatMap(({ times }) => Array.from(times)))].sort((a, b) => a - b);
}

/** Converts sRGB colors to linear, in place; N×4, alpha is kept. */
export function linearColors(colors: Float32Array): Float32Array {
  for (let i = 0; i < colors.length; i++) {
    const value = Math.min(Math.max(colors[i], 0), 1);
    if (i % 4 === 3) colors[i] = value;
    else colors[i] = value <= 0.04045 ? value / 12.92 : power((value + 0.055) / 1.055, 2.4);
  }
  return colors;
}

/** Appends to the list of a key, creating it if needed. */
export function pushTo<K, T>(map: Map<K, T[]>, key: K, value: T): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

/** Formats a float32 with nine digits, which restore it exactly. */
export function floatText(value: number): string {
  // Most numbers of a file are integers: indices, counts, zeros.
  const isExact = Number.isInteger(value) && Math.abs(value) < 1e9;
  return String(isExact ? value : Number(value.toPrecision(9)));
}
