import {
  baseName,
  ENDINGS,
  endingOf,
  MESH_ENDINGS,
  RIGGED_ENDINGS,
} from "../../src/formats/index.ts";
import type { Ask } from "./ask.ts";

/** Extension of files that contain a skeleton and no mesh. */
export const SKELETON_ENDING = ".txt";

/** Files that belong together: those of the character, and optionally one with its skeleton. */
export interface SortedFiles<T> {
  main: T[];
  skeleton?: T | undefined;
}

/** Maximum number of characters in one drop to choose from. */
const MAX_ASKED = 60;

/**
 * Sorts files dropped together. A text file, or a rigged character next to an .obj, provides the skeleton. With
 * several characters the visitor chooses. Undefined if the choice was cancelled.
 */
export async function sortFiles<T extends { name: string }>(
  files: T[],
  ask: Ask,
): Promise<SortedFiles<T> | undefined> {
  const isCharacter = ({ name }: T) => ENDINGS.includes(endingOf(name));
  const characters = files.filter(isCharacter);
  const others = files.filter((file) => !isCharacter(file));
  const text = others.find(({ name }) => endingOf(name) === SKELETON_ENDING);
  if (characters.length < 2) {
    return text ? { main: files.filter((file) => file !== text), skeleton: text } : { main: files };
  }
  const mesh = characters.find(({ name }) => MESH_ENDINGS.includes(endingOf(name)));
  const rigged = characters.filter(({ name }) => RIGGED_ENDINGS.includes(endingOf(name)));
  // The same name twice is one character in two formats.
  const isTwice = new Set(characters.map(({ name }) => stemOf(name))).size < characters.length;
  if (characters.length === 2 && mesh && rigged.length === 1 && !isTwice) {
    return { main: [mesh, ...others], skeleton: text ?? rigged[0] };
  }
  return chooseAmong(characters, others, ask);
}

const stemOf = (name: string) =>
  baseName(name)
    .replace(/\.\w+$/, "")
    .toLowerCase();

async function chooseAmong<T extends { name: string }>(
  characters: T[],
  others: T[],
  ask: Ask,
): Promise<SortedFiles<T> | undefined> {
  const choices = characters
    .slice(0, MAX_ASKED)
    .map(({ name }, i) => ({ value: `${i}`, text: `Open ${name}` }));
  if (characters.length === 2) {
    const [a, b] = characters.map(({ name }) => baseName(name));
    choices.push(
      { value: "0/1", text: `The mesh of ${a} with the skeleton of ${b}` },
      { value: "1/0", text: `The mesh of ${b} with the skeleton of ${a}` },
    );
  }
  const answer = await ask(
    `These are ${characters.length} characters; the page shows one at a time.`,
    choices,
  );
  if (answer === undefined) return undefined;
  const [main, skeleton] = answer.split("/").map((index) => characters[Number(index)]);
  return { main: [main, ...others], skeleton };
}
