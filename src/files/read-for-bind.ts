import { openInput } from "../disk/open-input.ts";
import { alignSkeleton } from "../fit/align-skeleton.ts";
import { fitSkeleton } from "../fit/fit-skeleton.ts";
import { meshDepth } from "../fit/fit-template.ts";
import { placeTemplate } from "../fit/place-template.ts";
import type { CharacterFile } from "../formats/character-file.ts";
import { endingOf } from "../formats/endings.ts";
import { movedRig } from "../formats/gltf/moved-rig.ts";
import { type InputFile, readCharacter } from "../formats/read-character.ts";
import { InputError } from "../input-error.ts";
import { vertexCount } from "../mesh/mesh.ts";
import { type Convention, nameJoints } from "../skeleton/conventions.ts";
import type { Front } from "../skeleton/find-up.ts";
import type { Skeleton } from "../skeleton/skeleton.ts";

/** A skeleton that is not fitted gets a note if fewer than this fraction of its joints are in the body. */
const FEW = 0.5;

/** Which skeleton a file is bound with. */
export interface SkeletonSettings {
  /** Path of a file whose skeleton replaces the character's, or `template:<name>`. */
  skeleton?: string | undefined;
  /** Whether to fit that skeleton to the mesh; default false. */
  fit?: boolean | undefined;
  /** Naming convention of the joints; default "own". */
  names?: Convention | undefined;
  /** Fingers per hand of the template of a biped, 0 to 5; default 0. */
  fingers?: number | undefined;
  /** Direction in which the body faces, for a fitted template; default "auto". */
  front?: Front | "auto" | undefined;
  /** Whether a fitted template gets chains for parts that it has no bones for; default "auto". */
  chains?: "auto" | "none" | undefined;
  /** Maximum size of each file in memory, unpacked, in bytes; default 1 GiB. */
  maxMemory?: number | undefined;
  /** Cancels reading. */
  signal?: AbortSignal | undefined;
}

/** A character to bind. */
export interface ReadForBind {
  file: CharacterFile;
  /** The file of the skeleton, whose animations go along; undefined if there is none. */
  animationsOf?: CharacterFile | undefined;
  /** Whether the weights of the character are those of the skeleton's own character, transferred. */
  hasCarried?: boolean | undefined;
}

/** Returns the name of a template skeleton; undefined for a path. */
export function templateOf(skeleton: string | undefined): string | undefined {
  return /^template:(.*)$/.exec(skeleton ?? "")?.[1];
}

/** Reads a character to bind, with its own skeleton, that of another file, or a template. */
export async function readForBind(input: string, settings: SkeletonSettings): Promise<ReadForBind> {
  const { skeleton, fit = false, maxMemory } = settings;
  if (fit && !skeleton) {
    throw new InputError({
      what: "there is no skeleton to fit to the mesh",
      remedy: { option: "skeleton", advice: "choose one" },
    });
  }
  const file = await openInput(input, maxMemory);
  if (templateOf(skeleton) !== undefined) return { file: await withTemplate(file, settings) };
  const { signal } = settings;
  if (!skeleton)
    return { file: renamed(await readCharacter(file, { maxMemory, signal }), settings) };
  const rig = await openInput(skeleton, maxMemory);
  const source = await withOwnBody(rig, settings);
  const bound = fit
    ? await fittedTo(file, rig, source, settings)
    : { file: await unfitted(file, rig, settings) };
  // Animations find their joints by name.
  return { ...bound, animationsOf: (settings.names ?? "own") === "own" ? source : undefined };
}

/** The file of a skeleton as a character; undefined for a text, or if only its joints can be read. */
async function withOwnBody(rig: InputFile, { maxMemory, signal }: SkeletonSettings) {
  if (endingOf(rig.name) === ".txt") return undefined;
  return readCharacter(rig, { maxMemory, signal }).catch((error) => {
    if (error instanceof InputError) return undefined;
    throw error;
  });
}

async function withTemplate(file: InputFile, settings: SkeletonSettings): Promise<CharacterFile> {
  const { fit, maxMemory, signal, fingers, front, names = "own", chains = "auto" } = settings;
  const limits = { maxMemory, signal };
  const { mesh } = (await readCharacter(file, { ...limits, needsJoints: false })).character;
  if (vertexCount(mesh) === 0) return readCharacter(file, limits);
  const given = templateOf(settings.skeleton)!;
  const placed = placeTemplate(mesh, given, {
    isFitted: fit,
    front,
    fingers,
    hasLongSpine: names !== "own",
    hasChains: chains === "auto",
  });
  const result = await readCharacter(file, {
    ...limits,
    joints: nameJoints(placed.skeleton, names),
  });
  if (placed.front !== "z" && (front ?? "auto") === "auto") {
    const likely = placed.isSure ? "faces" : "probably faces";
    result.oddities.push(`The body ${likely} ${placed.front}; choose the front if that is wrong.`);
  }
  if (placed.others.length > 0) {
    const list = placed.others.join(" or ");
    result.oddities.push(
      `The body was taken for a ${placed.template.name}; it may be a ${list}: choose the template if so.`,
    );
  }
  if (placed.chains.length > 0) {
    const list = placed.chains.map(({ name }) => name).join(", ");
    result.oddities.push(`Parts that the template has no bones for got joints: ${list}.`);
  }
  return result;
}

/** The skeleton of another file in the same space, with a note if it is hardly in the body. */
async function unfitted(
  file: InputFile,
  rig: InputFile,
  settings: SkeletonSettings,
): Promise<CharacterFile> {
  const { maxMemory, signal } = settings;
  const given = await readCharacter(file, { maxMemory, signal, skeleton: rig });
  const { mesh, skeleton } = given.character;
  if (mesh.triangles.length === 0 || skeleton.names.length === 0) return given;
  const { before, changes } = alignSkeleton(meshDepth(mesh), skeleton);
  if (before < FEW) {
    const percent = Math.round(before * 100);
    const help = changes.length > 0 ? "; fit it to the mesh" : "";
    given.oddities.push(`Only ${percent} % of the skeleton's joints are in the body${help}.`);
  }
  return renamed(given, settings);
}

/** The skeleton of another file, fitted by its own body where it has one. */
async function fittedTo(
  file: InputFile,
  rig: InputFile,
  source: CharacterFile | undefined,
  settings: SkeletonSettings,
): Promise<ReadForBind> {
  const { maxMemory, signal, names = "own" } = settings;
  const given = await readCharacter(file, { maxMemory, signal, skeleton: rig });
  const { mesh } = given.character;
  if (mesh.triangles.length === 0 || given.character.skeleton.names.length === 0) {
    return { file: given };
  }
  const own = source?.character ?? { skeleton: given.character.skeleton };
  const fitted = fitSkeleton(mesh, own);
  const { weights } = fitted;
  const withWeights = (read: CharacterFile): ReadForBind => ({
    file: weights ? { ...read, character: { ...read.character, weights } } : read,
    hasCarried: weights !== undefined,
  });
  if (fitted.way === "kept") return withWeights(renamed(given, settings));
  const moved = movedRig(given.rig, fitted.skeleton.positions, fitted.rotation);
  const skeleton: Skeleton = nameJoints(moved.skeleton, names);
  const result = await readCharacter(file, { maxMemory, signal, rig: { ...moved, skeleton } });
  const outside = fitted.doubts.filter(({ reason }) => reason === "outside the body");
  if (outside.length > 0) {
    const list = outside.slice(0, 5).map(({ joint }) => skeleton.names[joint]);
    const more = outside.length > 5 ? ` and ${outside.length - 5} more` : "";
    result.oddities.push(`After fitting, joints are outside the body: ${list.join(", ")}${more}.`);
  }
  return withWeights(result);
}

/** Renames the joints of a skeleton that is not in the file yet. */
function renamed(file: CharacterFile, { names = "own" }: SkeletonSettings): CharacterFile {
  if (names === "own") return file;
  if (!file.rig.nodes.includes(-1)) {
    throw new InputError({
      what: "the joints of the file itself cannot be renamed",
      remedy: { option: "names", advice: "keep the own names" },
    });
  }
  const skeleton = nameJoints(file.character.skeleton, names);
  return {
    ...file,
    character: { ...file.character, skeleton },
    rig: { ...file.rig, skeleton },
  };
}
