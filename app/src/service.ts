/** The service on the page's host, as described by `service.json`. */
export interface Service {
  needsToken: boolean;
  /** Maximum size of an upload in bytes. */
  maxUpload: number;
}

/** Where weights are computed. */
export type Where = "browser" | "server";

/** Key of the token in session storage, which the browser clears with the tab. */
const TOKEN = "heterskin-token";

/** Looks for a service on the page's host; every host serves `service.json`. */
export async function findService(): Promise<Service | undefined> {
  try {
    const answer = await fetch(new URL("service.json", document.baseURI));
    const { service, needsToken = false, maxUpload = Infinity } = await answer.json();
    return service === true ? { needsToken, maxUpload } : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the token of this session, or an empty string. */
export function storedToken(): string {
  try {
    return sessionStorage.getItem(TOKEN) ?? "";
  } catch {
    return "";
  }
}

/** Stores the token until the tab is closed. */
export function storeToken(token: string): void {
  try {
    sessionStorage.setItem(TOKEN, token);
  } catch {
    // Without storage the visitor enters it again.
  }
}
