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
  const begins = (start: string) =>
    [...start].every((char, i) => char === "-" || bytes[i] === char.charCodeAt(0));
  return KINDS.find(([, start]) => begins(start))?.[0];
}

/** Whether bytes are a PNG or JPEG, the pictures every glTF can hold. */
export function isPicture(bytes: Uint8Array): boolean {
  const type = pictureType(bytes);
  return type === "image/png" || type === "image/jpeg";
}

/** Says that a file goes without a picture, or without its materials. */
export function missingNote(what: "picture" | "materials", uri: string): string {
  const short = uri.length > 60 ? `...${uri.slice(-57)}` : uri;
  const verb = what === "picture" ? "was" : "were";
  return `The ${what} "${short}" ${verb} not found beside the file; it goes without.`;
}
