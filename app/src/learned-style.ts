import type { AdaptNotes } from "../../src/adapt/index.ts";

/** What was learned from a character, as it is kept from visit to visit and saved. */
export interface LearnedStyle {
  model: Uint8Array<ArrayBuffer>;
  notes: AdaptNotes;
  /** The file it was learned from. */
  file: string;
}

const CACHE = "heterskin-learned";
const [MODEL, NOTES] = ["model.onnx", "notes.json"];

/** Keeps what was learned in this browser, or forgets it; without a place to keep it, it lasts as long as the page. */
export async function keepStyle(style: LearnedStyle | undefined): Promise<void> {
  try {
    await caches.delete(CACHE);
    if (!style) return;
    const cache = await caches.open(CACHE);
    const { model, notes, file } = style;
    await cache.put(MODEL, new Response(model));
    await cache.put(NOTES, new Response(JSON.stringify({ notes, file })));
  } catch {
    // Private windows keep nothing.
  }
}

/** What was kept on an earlier visit, if anything. */
export async function keptStyle(): Promise<LearnedStyle | undefined> {
  try {
    if (!(await caches.has(CACHE))) return undefined;
    const cache = await caches.open(CACHE);
    const [model, said] = await Promise.all([cache.match(MODEL), cache.match(NOTES)]);
    if (!model || !said) return undefined;
    const { notes, file } = (await said.json()) as Pick<LearnedStyle, "notes" | "file">;
    return { model: new Uint8Array(await model.arrayBuffer()), notes, file };
  } catch {
    return undefined;
  }
}
