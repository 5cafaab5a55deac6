/** A float32 as text: nine digits bring it back exactly, and no dust stays. */
export function floatText(value: number): string {
  return String(Number(value.toPrecision(9)));
}
