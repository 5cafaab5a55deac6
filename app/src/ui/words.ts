/** Formats milliseconds for reading. */
export function duration(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

/** Formats a fraction as a percentage. */
export function percent(share: number): string {
  return share > 0 && share < 0.005 ? "<1 %" : `${Math.round(share * 100)} %`;
}

/** A number of vertices with its verb: "1 vertex is", "12 vertices are". */
export function vertices(count: number): { noun: string; are: string } {
  const number = count.toLocaleString("en");
  return count === 1
    ? { noun: `${number} vertex`, are: "is" }
    : { noun: `${number} vertices`, are: "are" };
}

/** Formats bytes for reading. */
export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
