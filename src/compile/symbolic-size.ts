/** The sizes that represent symbols while a function is traced: distinct primes. */
export type Symbols = Record<string, number>;

/** A size as `constant` times the product of symbols, e.g. 8 x V. */
export interface SizeFactors {
  constant: number;
  /** Sorted; a symbol squared appears twice. */
  names: string[];
}

/**
 * Factors a traced size into symbols and a constant.
 *
 * Unique because the sentinels are primes; a static size that is a multiple of one would be mistaken, which is
 * why a function is traced at two sets of sentinels.
 */
export function factorSize(size: number, symbols: Symbols): SizeFactors {
  let constant = size;
  const names: string[] = [];
  for (const [name, prime] of Object.entries(symbols)) {
    while (constant > 0 && constant % prime === 0) {
      constant /= prime;
      names.push(name);
    }
  }
  return { constant, names: names.sort() };
}

/** Formats a traced size for ONNX: a number, or a string such as `V` or `8*V`. */
export function sizeLabel(size: number, symbols: Symbols): number | string {
  const { constant, names } = factorSize(size, symbols);
  if (names.length === 0) return size;
  return constant === 1 ? names.join("*") : `${constant}*${names.join("*")}`;
}

/** Whether a size is only known when the graph runs. */
export function isSymbolic(size: number, symbols: Symbols): boolean {
  return Object.values(symbols).some((prime) => size > 0 && size % prime === 0);
}

/** Returns the product of sizes; 1 for a scalar. */
export function sizeOf(shape: readonly number[]): number {
  return shape.reduce((product, size) => product * size, 1);
}

/** Returns `count` primes from `from` upward that divide none of `taken`. */
export function primesFrom(from: number, count: number, taken: readonly number[]): number[] {
  const primes: number[] = [];
  for (let candidate = from; primes.length < count; candidate++) {
    const divides = taken.some((size) => size > 0 && size % candidate === 0);
    if (isPrime(candidate) && !divides) primes.push(candidate);
  }
  return primes;
}

function isPrime(value: number): boolean {
  for (let factor = 2; factor * factor <= value; factor++) if (value % factor === 0) return false;
  return value > 1;
}
