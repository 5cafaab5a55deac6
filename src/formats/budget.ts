import { InputError, type Remedy } from "../input-error.ts";

/** What a file may still take while it is read; plain data, changed by {@link spend}. */
export interface Budget {
  /** Of the file, for messages. */
  name: string;
  /** Bytes. */
  total: number;
  left: number;
}

/** Bytes a file may take unless told: four million vertices, or half a million nodes. */
export const DEFAULT_MAX_MEMORY: number = 2 ** 30;

/**
 * What one of each takes on its way through reading, binding and writing, in bytes; a joint stands
 * for its share of the vertices' distances, and of the hours that tens of thousands would take.
 */
const COSTS = { bytes: 1, vertices: 256, nodes: 2048, joints: 65536 };

/** Words of a text take up to this many times their length once they are numbers and names. */
export const TEXT_GROWTH = 8;

/** Begins a budget for one file and whatever belongs to it. */
export function createBudget(name: string, maxMemory: number = DEFAULT_MAX_MEMORY): Budget {
  if (!(maxMemory > 0)) throw new InputError(`${maxMemory} bytes of memory are too few.`);
  return { name, total: maxMemory, left: maxMemory };
}

/** Sets memory aside, before it is taken; `InputError` where more is asked than is left. */
export function spend(
  budget: Budget | undefined,
  count: number,
  unit: keyof typeof COSTS = "bytes",
): void {
  if (!budget) return;
  budget.left -= count * COSTS[unit];
  // Not `< 0`: what is no number must not pass.
  if (budget.left >= 0) return;
  throw new InputError({
    where: budget.name,
    what: `the file unpacks to more than the memory limit of ${megabytes(budget.total)} (${Math.round(count)} ${unit} at once)`,
    remedy: TRUST,
  });
}

const TRUST: Remedy = { option: "maxMemory", advice: "raise the limit if you trust the file" };

/** Refuses a file by its size alone, before it is read. */
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
