import { ENDINGS, endingOf } from "../../src/formats/index.ts";
import { InputError } from "../../src/index.ts";

/** Extensions of files that may belong to a character. */
const PARTS = [".mtl", ".bin", ".txt", ".png", ".jpg", ".jpeg", ".webp", ".ktx2"];
/** Maximum unpacked bytes, which the page holds next to their parsed form, and maximum number of files. */
const LARGEST = 1 << 30;
const MOST = 5000;

/** Lists the files of a ZIP that may belong to a character, by their paths in it. */
export async function unzip(
  name: string,
  bytes: Uint8Array,
): Promise<{ name: string; bytes: Uint8Array<ArrayBuffer> }[]> {
  const { unzipSync } = await import("fflate");
  let [size, count] = [0, 0];
  const filter = (entry: { name: string; originalSize: number }) => {
    const ending = endingOf(entry.name);
    const isWanted = ENDINGS.includes(ending) || PARTS.includes(ending);
    // Metadata of the macOS Finder.
    if (!isWanted || /(^|\/)(__MACOSX\/|\._)/.test(entry.name)) return false;
    size += entry.originalSize;
    if (size <= LARGEST && ++count <= MOST) return true;
    throw new InputError(
      `${name}: it contains too much for a browser; unpack it, and open one character.`,
    );
  };
  let files: Record<string, Uint8Array>;
  try {
    files = unzipSync(bytes, { filter });
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError(
      `${name}: the ZIP is damaged or encrypted; unpack it, and open its content.`,
    );
  }
  const found = Object.entries(files).map(([path, content]) => ({
    name: path,
    bytes: content as Uint8Array<ArrayBuffer>,
  }));
  if (found.some((file) => ENDINGS.includes(endingOf(file.name)))) return found;
  throw new InputError(
    `${name}: there is no character in it; it needs one of ${ENDINGS.join(", ")}.`,
  );
}
