import { launchBrowserServer, preparePage } from "./page-fixture.ts";

/** Builds the page, and starts the browser that all files with page tests connect to. */
export async function setup(): Promise<() => Promise<void>> {
  await preparePage();
  const server = await launchBrowserServer();
  process.env.HETERSKIN_BROWSER = server.wsEndpoint();
  return () => server.close();
}
