import { writeFile } from "node:fs/promises";
import { checkCharacter } from "../../character/character.ts";
import { glbFromCharacter } from "../../formats/file-from-character.ts";
import { InputError } from "../../input-error.ts";
import { readCharacterOf } from "../lines/requests.ts";

/** A character as JSON, and the path of the GLB to write. */
export interface JsonBody {
  body: Uint8Array;
  to: string;
}

/** The size of the GLB, and the options of the request, which are not checked yet. */
export interface ParsedBody {
  bytes: number;
  options: Record<string, unknown>;
}

/** Creates the job of a thread that parses long bodies. */
export const createBodyParser = (): typeof parseBody => parseBody;

/** Parses a character and writes it as a GLB; throws `InputError` if it is not one. */
export async function parseBody({ body, to }: JsonBody): Promise<ParsedBody> {
  const request = parseObject(body);
  const character = readCharacterOf(request, "");
  checkCharacter(character);
  const bytes = glbFromCharacter(character);
  await writeFile(to, bytes).catch(() => {
    throw new InputError("The server has no space for this file.");
  });
  return { bytes: bytes.length, options: (request.options ?? {}) as Record<string, unknown> };
}

function parseObject(body: Uint8Array): Record<string, unknown> {
  try {
    // Drops references to files, which arrays may contain in the worker protocol but not here.
    const noFiles = (key: string, value: unknown) => (key === "file" ? undefined : value);
    const value = JSON.parse(new TextDecoder().decode(body), noFiles);
    if (typeof value === "object" && value !== null) return value;
  } catch {
    // Reported below.
  }
  throw new InputError("The request is not a JSON object.");
}
