import { isCancelled, WorkerFailure } from "./call-worker.ts";
import type { Engine } from "./engine.ts";
import type { Store } from "./store.ts";

/** Fetches the runtime and the model, reports the progress, and shows a message if they cannot be fetched. */
export async function warmNetwork(
  { state, changed }: Store,
  engine: Engine,
  alert: (sentence: string) => void,
): Promise<void> {
  const tell = (fraction: number, isReady: boolean, hasFailed = false) => {
    state.network = { fraction, isReady, hasFailed };
    changed("busy");
  };
  try {
    await engine.warm((_, fraction) => tell(fraction, false));
    tell(1, true);
  } catch (error) {
    // The worker was stopped; the code that stopped it warms its replacement.
    if (isCancelled(error)) return;
    tell(1, false, true);
    alert(
      error instanceof WorkerFailure
        ? "The worker that binds could not be started; files can still be opened. Reload to try again."
        : "The network could not be fetched; the other methods work. Reload to try again.",
    );
  }
}
