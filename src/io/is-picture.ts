import { type Losses, lose } from "./losses.ts";

/** First bytes of the pictures that files of characters refer to; `-` stands for any byte. */
const KINDS: readonly (readonly [mime: string, start: string])[] = [
  ["image/png", "\x89PNG"],
  ["image/jpeg", "\xff\xd8"],
  ["image/webp", "RIFF----WEBP"],
  ["image/ktx2", "\xabKTX 20\xbb\r\n\x1a\n"],
  ["image/avif", "----ftypavif"],
  ["image/vnd-ms.dds", "DDS "],
];

/** The kind of picture that bytes hold; undefined where they are none. */
export function pictureType(bytes: Uint8Array): string | undefined {
  return KINDS.find(([, start]) => beginsLike(bytes, start))?.[0];
}

function beginsLike(bytes: Uint8Array, start: string): boolean {
  return [...start].every((char, i) => char === "-" || bytes[i] === char.charCodeAt(0));
}

/** Whether bytes are a PNG or JPEG, the pictures every glTF can hold. */
export function isPicture(bytes: Uint8Array): boolean {
  const type = pictureType(bytes);
  return type === "image/png" || type === "image/jpeg";
}

/** First bytes of pictures that glTF cannot hold. */
const OTHER_KINDS = ["BM", "GIF8", "II*\0", "MM\0*", "8BPS", "\x76\x2f\x31\x01"];
const TGA_TYPES = [1, 2, 3, 9, 10, 11];
const TGA_DEPTHS = [8, 15, 16, 24, 32];

/** Whether bytes are a picture of a kind that glTF cannot hold: BMP, GIF, TIFF, PSD, EXR, TGA. */
export function isOtherPicture(bytes: Uint8Array): boolean {
  if (OTHER_KINDS.some((start) => beginsLike(bytes, start))) return true;
  // A TGA has no mark of its own; its header has few ways to be.
  return bytes[1] <= 1 && TGA_TYPES.includes(bytes[2]) && TGA_DEPTHS.includes(bytes[16]);
}

/** What a file refers to and does without: counted as lost, and noted where it is not there. */
export interface MissingPictures {
  lost: Losses;
  /** Paths of those that were not found. */
  missing: Set<string>;
}

/** Counts a picture that cannot be taken. */
export function losePicture(
  { lost, missing }: MissingPictures,
  path: string,
  isThere: boolean,
): void {
  if (isThere) {
    const ending = /\.\w+$/.exec(path)?.[0].toLowerCase() ?? "unknown";
    lose(lost, `pictures glTF cannot hold (${ending})`);
  } else {
    missing.add(path);
    lose(lost, "pictures that were not found");
  }
}

/** Paths named in a sentence. */
const NAMED = 3;

/** Says what was not found, in one sentence; nothing where all was. */
export function missingNotes(
  what: "picture" | "file of materials",
  paths: Iterable<string>,
): string[] {
  const names = [...paths].map((path) => `"${path.length > 60 ? `...${path.slice(-57)}` : path}"`);
  if (names.length === 0) return [];
  if (names.length === 1) return [`The ${what} ${names[0]} was not found beside the file.`];
  const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : "";
  const several = what.replace(/^\w+/, "$&s");
  const listed = names.slice(0, NAMED).join(", ");
  return [`${names.length} ${several} were not found beside the file: ${listed}${more}.`];
}
