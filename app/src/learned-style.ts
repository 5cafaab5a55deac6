import type { AdaptNotes } from "../../src/adapt/index.ts";

/** A style learned from a character, as it is stored between visits and saved. */
export interface LearnedStyle {
  model: Uint8Array<ArrayBuffer>;
  notes: AdaptNotes;
  /** The file it was learned from. */
  file: string;
}

const CACHE = "heterskin-learned";
const [MODEL, NOTES] = ["model.onnx", "notes.json"];

/** Stores the learned style in this browser, or deletes it; without storage it lasts until the page closes. */
export async function keepStyle(style: LearnedStyle | undefined): Promise<void> {
  try {
    await caches.delete(CACHE);
    if (!style) return;
    const cache = await caches.open(CACHE);
    const { model, notes, file } = style;
    await cache.put(MODEL, new Response(model));
    await cache.put(NOTES, new Response(JSON.stringify({ notes, file })));
  } catch {
    // Private windows store nothing.
  }
}

/** Returns the style stored on an earlier visit, if any. */
export async function keptStyle(): Promise<LearnedStyle | undefined> {
  try {
    if (!(await caches.has(CACHE))) return undefined;
    const cache = await caches.open(CACHE);
    const [model, stored] = await Promise.all([cache.match(MODEL), cache.match(NOTES)]);
    if (!model || !stored) return undefined;
    const { notes, file } = (await stored.json()) as Pick<LearnedStyle, "notes" | "file">;
    return { model: new Uint8Array(await model.arrayBuffer()), notes, file };
  } catch {
    return undefined;
  }
}
