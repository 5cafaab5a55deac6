import { launchBrowserServer, preparePage } from "./page-fixture.ts";

/** Starts the browser that all files with page tests connect to, and builds the page once before them. */
export async function setup(): Promise<() => Promise<void>> {
  await preparePage();
  const server = await launchBrowserServer();
  process.env.HETERSKIN_BROWSER = server.wsEndpoint();
  return () => server.close();
}
