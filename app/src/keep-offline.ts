import type { Store } from "./store.ts";

/**
 * Stores the page in the browser for offline use, once the network has loaded and the connection is idle. Marks
 * the state when everything is stored.
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
      // Private windows and pages without https store nothing; everything works online.
    }
  };
  on(["busy"], () => void begin());
}

/** Opens files that the operating system passes to the installed page. */
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
