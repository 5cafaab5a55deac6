/** A node of XML or FBX: it has a name, and children alike. */
interface Named<T> {
  name: string;
  children: T[];
}

/** First child of this name. */
export function childOf<T extends Named<T>>(node: T | undefined, name: string): T | undefined {
  return node?.children.find((child) => child.name === name);
}

/** All children of this name. */
export function childrenNamed<T extends Named<T>>(node: T | undefined, name: string): T[] {
  return node?.children.filter((child) => child.name === name) ?? [];
}

/** Values at rising times, straight in between. */
export interface Curve {
  times: ArrayLike<number>;
  /** As many as times, or rows of several. */
  values: ArrayLike<number>;
}

/** The value of a curve at a time, held at its ends; of rows of `width` values, that of one column. */
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
  const share = (at - times[low]) / (times[high] - times[low] || 1);
  return value(low) + share * (value(high) - value(low));
}

/** Colors as screens show them (sRGB) to linear light, as glTF has them, in place; N×4, alpha stays. */
export function linearColors(colors: Float32Array): Float32Array {
  for (let i = 0; i < colors.length; i++) {
    const value = Math.min(Math.max(colors[i], 0), 1);
    if (i % 4 === 3) colors[i] = value;
    else colors[i] = value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }
  return colors;
}

/** Adds to the list a map holds for a key, which begins with it where there was none. */
export function pushTo<K, T>(map: Map<K, T[]>, key: K, value: T): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

/** A float32 as text: nine digits bring it back exactly, and no dust stays. */
export function floatText(value: number): string {
  return String(Number(value.toPrecision(9)));
}
