import type { Store } from "./store.ts";

/**
 * Has the browser keep the page, once the network is here and nothing else waits for the line; says so when
 * everything is kept.
 */
export function keepOffline({ state, on, changed }: Store): void {
  if (!("serviceWorker" in navigator)) return;
  let hasBegun = false;
  const begin = async () => {
    if (hasBegun || !state.network || !(state.network.isReady || state.network.hasFailed)) return;
    hasBegun = true;
    try {
      const { serviceWorker } = navigator;
      await serviceWorker.register(new URL("service-worker.js", document.baseURI));
      await serviceWorker.ready;
      state.isOfflineReady = state.network.isReady;
      changed("busy");
    } catch {
      // Private windows and pages without https keep nothing; all works with a network.
    }
  };
  on(["busy"], () => void begin());
}

/** Opens the files that the system gives to the page once it is installed. */
export function takeLaunchedFiles(open: (files: { name: string; content: Blob }[]) => void): void {
  const { launchQueue } = globalThis as unknown as {
    launchQueue?: {
      setConsumer(take: (launch: { files: FileSystemFileHandle[] }) => void): void;
    };
  };
  launchQueue?.setConsumer(async ({ files }) => {
    const contents = await Promise.all(files.map((file) => file.getFile()));
    if (contents.length > 0) open(contents.map((content) => ({ name: content.name, content })));
  });
}
