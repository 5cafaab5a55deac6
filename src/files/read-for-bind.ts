import { openInput } from "../disk/open-input.ts";
import { alignSkeleton } from "../fit/align-skeleton.ts";
import { chooseTemplate } from "../fit/choose-template.ts";
import { fitSkeleton } from "../fit/fit-skeleton.ts";
import { fitTemplate, meshDepth } from "../fit/fit-template.ts";
import type { CharacterFile } from "../formats/character-file.ts";
import { movedRig } from "../formats/gltf/moved-rig.ts";
import { type InputFile, readCharacter } from "../formats/read-character.ts";
import { InputError } from "../input-error.ts";
import { vertexCount } from "../mesh/mesh.ts";
import { type Convention, nameJoints } from "../skeleton/conventions.ts";
import type { Skeleton } from "../skeleton/skeleton.ts";
import { bipedTemplate, type SkeletonTemplate, templateNamed } from "../skeleton/templates.ts";

/** A skeleton that is not fitted gets a note if fewer than this fraction of its joints are in the body. */
const FEW = 0.5;

/** Joints of the spine of a biped with fingers: as in Mixamo and VRM. */
const SPINE = 3;

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
  /** Maximum size of each file in memory, unpacked, in bytes; default 1 GiB. */
  maxMemory?: number | undefined;
}

/** A character to bind. */
export interface ReadForBind {
  file: CharacterFile;
  /** The file of the skeleton, whose animations go along; undefined if there is none. */
  animationsOf?: CharacterFile | undefined;
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
  if (!skeleton) return { file: renamed(await readCharacter(file, { maxMemory }), settings) };
  const rig = await openInput(skeleton, maxMemory);
  return fit ? fittedTo(file, rig, settings) : { file: await unfitted(file, rig, settings) };
}

async function withTemplate(file: InputFile, settings: SkeletonSettings): Promise<CharacterFile> {
  const { fit, maxMemory, fingers = 0, names = "own" } = settings;
  const { mesh } = (await readCharacter(file, { maxMemory, needsJoints: false })).character;
  if (vertexCount(mesh) === 0) return readCharacter(file, { maxMemory });
  const given = templateOf(settings.skeleton)!;
  const kind = given === "auto" ? chooseTemplate(mesh) : given;
  const isPlain = fingers === 0 && names === "own";
  const template: SkeletonTemplate =
    kind === "biped" && !isPlain ? bipedTemplate({ fingers, spine: SPINE }) : templateNamed(kind);
  const joints = fitTemplate(mesh, template, fit ? meshDepth(mesh) : undefined);
  return readCharacter(file, { maxMemory, joints: nameJoints(joints, names) });
}

/** The skeleton of another file in the same space, with a note if it is hardly in the body. */
async function unfitted(
  file: InputFile,
  rig: InputFile,
  settings: SkeletonSettings,
): Promise<CharacterFile> {
  const given = await readCharacter(file, { maxMemory: settings.maxMemory, skeleton: rig });
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
  settings: SkeletonSettings,
): Promise<ReadForBind> {
  const { maxMemory, names = "own" } = settings;
  const given = await readCharacter(file, { maxMemory, skeleton: rig });
  const { mesh } = given.character;
  if (mesh.triangles.length === 0 || given.character.skeleton.names.length === 0) {
    return { file: given };
  }
  const source = /\.txt$/i.test(rig.name) ? undefined : await readCharacter(rig, { maxMemory });
  const own = source?.character ?? { skeleton: given.character.skeleton };
  const fitted = fitSkeleton(mesh, own);
  if (fitted.way === "kept") {
    return { file: renamed(given, settings), animationsOf: names === "own" ? source : undefined };
  }
  const moved = movedRig(given.rig, fitted.skeleton.positions, fitted.rotation);
  const skeleton: Skeleton = nameJoints(moved.skeleton, names);
  const result = await readCharacter(file, { maxMemory, rig: { ...moved, skeleton } });
  const outside = fitted.doubts.filter(({ reason }) => reason === "outside the body");
  if (outside.length > 0) {
    const list = outside.slice(0, 5).map(({ joint }) => skeleton.names[joint]);
    const more = outside.length > 5 ? ` and ${outside.length - 5} more` : "";
    result.oddities.push(`After fitting, joints are outside the body: ${list.join(", ")}${more}.`);
  }
  return { file: result, animationsOf: names === "own" ? source : undefined };
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
