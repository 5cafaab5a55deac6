import { vi } from "vitest";

/** Repeats an expectation until it holds, within the time that a busy machine may need. */
export function eventually<T>(task: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(task, { timeout: 150_000, interval: 20 });
}
