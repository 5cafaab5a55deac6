/** A long computation in steps: it yields where other work of the process may run. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Time between two yields to the event loop, in ms: short enough for smooth animation. */
const SLICE = 20;

/** Iterations of a tight loop after which it yields, far less than a slice even where each takes a microsecond. */
export const STRIDE = 8192;

/** Runs steps to their end, without letting other work run. */
export function runSteps<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Lets the event loop run now and then. */
export interface Pacer {
  /** Yields to the event loop if a slice is over; throws the reason of an aborted signal. */
  pause(): Promise<void>;
  /** Runs steps, and pauses between them. */
  run<T>(steps: Steps<T>): Promise<T>;
}

/** Creates a pacer whose first slice starts now. */
export function createPacer(signal?: AbortSignal): Pacer {
  let since = performance.now();
  const isOver = () => performance.now() - since >= SLICE;
  const pause = async () => {
    signal?.throwIfAborted();
    if (!isOver()) return;
    await nextTask();
    since = performance.now();
    signal?.throwIfAborted();
  };
  return {
    pause,
    async run(steps) {
      for (;;) {
        const { done, value } = steps.next();
        if (done) return value;
        // Without a promise for each step.
        if (isOver() || signal?.aborted) await pause();
      }
    },
  };
}

/** Waits until the event loop has run other tasks. A message, because browsers delay timers of hidden pages. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}
