/**
 * Returns a number that is not negative to the power of another, with the same bits in every version of Node: `**`
 * rounds differently from Node 24 on, except for squares.
 */
export function power(base: number, exponent: number): number {
  return exponent === 0 ? 1 : Math.exp(exponent * Math.log(base));
}
