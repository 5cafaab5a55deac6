import path from "node:path";
import type { InputFile } from "../read-character.ts";
import { readNeighbour } from "./find-neighbour.ts";
import { readPlainFile } from "./read-plain-file.ts";

/**
 * Reads a file's bytes, with a way to fetch its neighbours.
 *
 * @param maxMemory bytes that it, and each neighbour, may have
 */
export async function openInput(file: string, maxMemory?: number): Promise<InputFile> {
  const folder = path.resolve(path.dirname(file));
  const name = path.basename(file);
  return {
    name,
    bytes: await readPlainFile(file, maxMemory),
    resolve: (uri, kind = "buffer") => readNeighbour(folder, name, uri, kind, maxMemory),
  };
}
