/** What ends a program from outside, with the status shells give it: 128 and its number. */
const STATUS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** Why a program was stopped. */
export type Interruption = keyof typeof STATUS;

/**
 * Aborts on the first Ctrl-C, or on the word of whoever started us; the second ends the process at
 * once. While files are written both wait the moment that takes, so that no draft is left.
 */
export function interruption(): AbortSignal {
  const controller = new AbortController();
  for (const signal of Object.keys(STATUS) as Interruption[]) {
    process.on(signal, () => {
      if (controller.signal.aborted) process.exit(STATUS[signal]);
      controller.abort(signal);
    });
  }
  return controller.signal;
}

/** The exit status for what stopped a program; that of Ctrl-C where it is not known. */
export function statusOf(reason: unknown): number {
  return STATUS[reason as Interruption] ?? STATUS.SIGINT;
}
