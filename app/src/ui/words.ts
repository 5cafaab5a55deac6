/** Milliseconds for people. */
export function duration(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

/** A share of 1 for people. */
export function percent(share: number): string {
  return share > 0 && share < 0.005 ? "<1 %" : `${Math.round(share * 100)} %`;
}
