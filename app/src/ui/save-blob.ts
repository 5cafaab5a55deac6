import { make } from "./dom.ts";

/** Milliseconds after which a download has surely begun. */
const PATIENCE = 60_000;

/** Gives content to the visitor as a file, where the browser puts downloads. */
export function saveBlob(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = make("a", { href: url, download: name });
  link.click();
  // The address is only good for this download; kept, the content would stay in memory.
  setTimeout(() => URL.revokeObjectURL(url), PATIENCE);
}

/** A name without its ending, for files that are made of it. */
export function stemOf(name: string): string {
  return name.replace(/\.[^.]*$/, "") || "character";
}
