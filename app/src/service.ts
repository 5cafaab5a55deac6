/** The service beside the page, as `service.json` tells of it. */
export interface Service {
  needsToken: boolean;
  /** Bytes it takes at most. */
  maxUpload: number;
}

/** Where weights are found. */
export type Where = "browser" | "server";

/** The place of the token, which the browser forgets with the tab. */
const TOKEN = "heterskin-token";

/** Looks for a service at the page's own host; every host of the page has the file that says so. */
export async function findService(): Promise<Service | undefined> {
  try {
    const answer = await fetch(new URL("service.json", document.baseURI));
    const { service, needsToken = false, maxUpload = Infinity } = await answer.json();
    return service === true ? { needsToken, maxUpload } : undefined;
  } catch {
    return undefined;
  }
}

/** The token of this session, if there is one. */
export function storedToken(): string {
  try {
    return sessionStorage.getItem(TOKEN) ?? "";
  } catch {
    return "";
  }
}

/** Keeps the token until the tab is closed. */
export function storeToken(token: string): void {
  try {
    sessionStorage.setItem(TOKEN, token);
  } catch {
    // A browser that keeps nothing asks again.
  }
}
