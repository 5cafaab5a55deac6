import path from "node:path";
import type { InputFile } from "../read-character.ts";
import { findNeighbour } from "./find-neighbour.ts";
import { readPlainFile } from "./read-plain-file.ts";

/**
 * Reads a file's bytes, with a way to fetch its neighbours.
 *
 * @param maxMemory bytes that it, and each neighbour, may have
 */
export async function openInput(file: string, maxMemory?: number): Promise<InputFile> {
  const folder = path.resolve(path.dirname(file));
  const name = path.basename(file);
  const resolve: InputFile["resolve"] = async (uri, kind = "buffer") => {
    const neighbour = await findNeighbour(folder, name, uri, kind);
    const bytes = neighbour === undefined ? undefined : readPlainFile(neighbour, maxMemory);
    // Only a buffer that cannot be read refuses a character.
    return kind === "buffer" ? bytes : bytes?.catch(() => undefined);
  };
  return { name, bytes: await readPlainFile(file, maxMemory), resolve };
}
