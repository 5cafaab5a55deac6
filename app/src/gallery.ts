import { SAMPLE_TITLES } from "../../samples/names.ts";
import { SHOW, showFile } from "../../samples/show/names.ts";
import type { PickedFile } from "./file-calls.ts";

/** A character of the gallery. */
export interface GalleryEntry {
  name: string;
  label: string;
  title: string;
  /** A picture of it; those made by code have none. */
  poster: string | undefined;
}

/** All that the gallery offers: those that come as files, with a picture, then those made by code. */
export const GALLERY: readonly GalleryEntry[] = [
  ...SHOW.map((entry) => ({ ...entry, poster: `./samples/${entry.name}.webp` })),
  ...Object.entries(SAMPLE_TITLES).map(([name, title]) => ({
    name,
    label: name[0].toUpperCase() + name.slice(1),
    title,
    poster: undefined,
  })),
];

/** The entry of that name. */
export function galleryEntry(name: string): GalleryEntry | undefined {
  return GALLERY.find((entry) => entry.name === name);
}

/** Fetches the file of a character; nothing for one that is made by code. */
export async function galleryFile(name: string): Promise<PickedFile | undefined> {
  if (!galleryEntry(name)?.poster) return undefined;
  const response = await fetch(new URL(showFile(name), document.baseURI));
  if (!response.ok) throw new Error(`${showFile(name)}: status ${response.status}.`);
  return { name: `${name}.glb`, content: await response.blob() };
}
