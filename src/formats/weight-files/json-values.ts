/** Returns a value of a JSON file as an object; empty if it is none. */
export function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

/** Whether a value of a JSON file is a finite number. */
export function isNumber(value: unknown): value is number {
  return Number.isFinite(value);
}

/** Returns the coordinates of points; undefined if they are not whole, or not as many as `count`. */
export function pointsOf(value: unknown, count?: number): Float32Array | undefined {
  if (!Array.isArray(value) || value.length === 0 || value.length % 3 > 0) return undefined;
  if (count !== undefined && value.length !== 3 * count) return undefined;
  return value.every(isNumber) ? Float32Array.from(value) : undefined;
}
