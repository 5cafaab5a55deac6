import { make } from "./dom.ts";

/** Milliseconds after which a download has surely started. */
const PATIENCE = 60_000;

/** Downloads content as a file. */
export function saveBlob(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = make("a", { href: url, download: name });
  link.click();
  // The address serves only this download; without revoking it, the content would stay in memory.
  setTimeout(() => URL.revokeObjectURL(url), PATIENCE);
}

/** Returns a file name without its extension. */
export function stemOf(name: string): string {
  return name.replace(/\.[^.]*$/, "") || "character";
}
