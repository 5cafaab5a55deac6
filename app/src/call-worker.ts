/** A request to a worker and its answers, matched by number. */
interface Call {
  id: number;
  name: string;
  input: unknown;
}

/** Answer of a worker to a call: progress, the result, or an error. */
type Answer =
  | { id: number; stage: string; fraction: number }
  | { id: number; result: unknown }
  | { id: number; problem: string; isInput: boolean; isWorkers?: boolean };

type Report = (stage: string, fraction: number) => void;

/** Calls of a worker by name, with their input and result. */
export type Calls = Record<string, (input: never, report: Report) => unknown>;

/** An error whose message is shown to the visitor unchanged. */
export class VisitorError extends Error {}

/** Whether a call failed because its worker was stopped on purpose. */
export function isCancelled(error: unknown): boolean {
  return error instanceof VisitorError && error.message === "Cancelled.";
}

/** A worker that failed to start or exited unexpectedly. */
export class WorkerFailure extends Error {}

/** The page's end of a worker. */
export interface WorkerClient<C extends Calls> {
  call<N extends keyof C & string>(
    name: N,
    input: Parameters<C[N]>[0],
    options?: { report?: Report; transfer?: Transferable[] },
  ): Promise<Awaited<ReturnType<C[N]>>>;
  /** Terminates the worker; open and later calls reject with `reason`. */
  stop(reason: string): void;
  /** Whether the worker failed to start or exited unexpectedly. */
  hasFailed(): boolean;
}

/** Connects to a worker that answers with {@link answerCalls}. */
export function connectWorker<C extends Calls>(worker: Worker): WorkerClient<C> {
  const open = new Map<number, { settle: (answer: Answer) => void }>();
  let next = 1;
  /** Why the worker ended; later calls reject with it, since no answer would arrive. */
  let ended: { problem: string; isInput: boolean; isWorkers: true } | undefined;
  const end = (problem: string, isInput: boolean) => {
    ended ??= { problem, isInput, isWorkers: true };
    worker.terminate();
    for (const [id, { settle }] of open) settle({ id, ...ended });
  };
  worker.addEventListener("message", ({ data }: MessageEvent<Answer>) => {
    open.get(data.id)?.settle(data);
  });
  worker.addEventListener("error", (event) => {
    event.preventDefault();
    end(`The worker failed: ${event.message || "it could not be started"}.`, false);
  });
  return {
    call: (name, input, options = {}) =>
      new Promise((resolve, reject) => {
        if (ended) return reject(errorOf(ended));
        const id = next++;
        const settle = (answer: Answer) => {
          if ("stage" in answer) {
            options.report?.(answer.stage, answer.fraction);
            return;
          }
          open.delete(id);
          if ("result" in answer) resolve(answer.result as never);
          else reject(errorOf(answer));
        };
        open.set(id, { settle });
        worker.postMessage({ id, name, input } satisfies Call, options.transfer ?? []);
      }),
    stop: (reason) => end(reason, true),
    hasFailed: () => ended?.isInput === false,
  };
}

function errorOf(answer: { problem: string; isInput: boolean; isWorkers?: boolean }): Error {
  if (answer.isInput) return new VisitorError(answer.problem);
  return answer.isWorkers ? new WorkerFailure(answer.problem) : new Error(answer.problem);
}

/**
 * Answers calls in a worker, one after the other.
 *
 * @param parallel calls that mostly wait for the network and run alongside the others
 */
export function answerCalls(
  calls: Calls,
  isVisitorError: (error: unknown) => boolean,
  parallel: string[] = [],
): void {
  let before: Promise<unknown> = Promise.resolve();
  const answer = async ({ id, name, input }: Call) => {
    try {
      const report: Report = (stage, fraction) => post({ id, stage, fraction });
      post({ id, result: await calls[name](input as never, report) });
    } catch (error) {
      post({ id, problem: describe(error), isInput: isVisitorError(error) });
    }
  };
  addEventListener("message", ({ data }: MessageEvent<Call>) => {
    if (parallel.includes(data.name)) void answer(data);
    else before = before.then(() => answer(data));
  });
}

function post(answer: Answer): void {
  (globalThis as unknown as { postMessage(message: Answer): void }).postMessage(answer);
}

function describe(error: unknown): string {
  if (error instanceof RangeError) {
    return `There is not enough memory for this (${error.message}); try a smaller file or a coarser grid.`;
  }
  return error instanceof Error ? error.message : String(error);
}
