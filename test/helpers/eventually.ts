import { vi } from "vitest";

/** Repeats an expectation until it holds, for as long as a busy machine may need. */
export function eventually<T>(task: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(task, { timeout: 150_000, interval: 20 });
}
