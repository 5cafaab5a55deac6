import { InputError, type Remedy } from "../input-error.ts";

/** The memory a file may still use while it is read; plain data, changed by {@link spend}. */
export interface Budget {
  name: string;
  /** Bytes. */
  total: number;
  left: number;
}

/** Default memory limit of a file in bytes: four million vertices, or half a million nodes. */
export const DEFAULT_MAX_MEMORY: number = 2 ** 30;

/**
 * Bytes that reading, binding and writing take per item. The figure for a joint includes its part of the
 * distance field, and bounds the run time of files with tens of thousands of joints; that for a copy, a
 * mesh that another node shows again, stands for the milliseconds that converting it takes.
 */
const COSTS = {
  bytes: 1,
  vertices: 256,
  nodes: 2048,
  joints: 65536,
  copies: 524288,
  copiedCorners: 2048,
  shapePoints: 64,
};

/** Parsed text takes up to this many times its length. */
export const TEXT_GROWTH = 8;

/** Creates a budget for one file and its sidecars. */
export function createBudget(name: string, maxMemory: number = DEFAULT_MAX_MEMORY): Budget {
  if (!(maxMemory > 0)) throw new InputError(`${maxMemory} bytes of memory are too few.`);
  return { name, total: maxMemory, left: maxMemory };
}

/** Reserves memory before it is allocated; throws an `InputError` if the budget is exceeded. */
export function spend(
  budget: Budget | undefined,
  count: number,
  unit: keyof typeof COSTS = "bytes",
): void {
  if (!budget) return;
  budget.left -= count * COSTS[unit];
  // Not `< 0`: NaN must not pass.
  if (budget.left >= 0) return;
  throw new InputError({
    where: budget.name,
    what: `the file unpacks to more than the memory limit of ${megabytes(budget.total)} (${Math.round(count)} ${unit} at once)`,
    remedy: TRUST,
  });
}

const TRUST: Remedy = { option: "maxMemory", advice: "raise the limit if you trust the file" };

/** Rejects a file by its size alone, before it is read. */
export function refuseLarge(
  name: string,
  size: number,
  maxMemory: number = DEFAULT_MAX_MEMORY,
): void {
  if (size <= maxMemory) return;
  throw new InputError({
    where: name,
    what: `the file has ${megabytes(size)}, more than the memory limit of ${megabytes(maxMemory)}`,
    remedy: TRUST,
  });
}

function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 2 ** 20)} MB`;
}
