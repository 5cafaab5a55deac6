import { InputError } from "../input-error.ts";
import type { CharacterFile } from "../io/character-file.ts";
import { openInput } from "../io/disk/open-input.ts";
import { readCharacter } from "../io/read-character.ts";
import { alignSkeleton } from "../voxel/align-skeleton.ts";
import { fitTemplate, meshDepth } from "../voxel/fit-template.ts";

/** Where a character's joints come from. */
export interface SkeletonSettings {
  /** Path of a file whose skeleton takes the place of the character's own, or `template:` and a name. */
  skeleton?: string | undefined;
  /** Whether that skeleton is fitted to the mesh; default false. */
  fit?: boolean | undefined;
  /** Bytes each file may take while it is read, what it unpacks to included; default 1 GiB. */
  maxMemory?: number | undefined;
}

/** Below this share of joints in the body, a skeleton that was not fitted is noted. */
const FEW = 0.5;

/** The template a skeleton's name stands for; nothing for a path. */
export function templateOf(skeleton: string | undefined): string | undefined {
  return /^template:(.*)$/.exec(skeleton ?? "")?.[1];
}

/** Reads a character to bind, with the skeleton it is to have: its own, a file's or a template's. */
export async function readForBind(
  input: string,
  { skeleton, fit = false, maxMemory }: SkeletonSettings,
): Promise<CharacterFile> {
  if (fit && !skeleton) {
    throw new InputError("--fit fits a skeleton to the mesh; say which with --skeleton.");
  }
  const file = await openInput(input, maxMemory);
  const template = templateOf(skeleton);
  if (template !== undefined) {
    const { mesh } = (await readCharacter(file, { maxMemory, needsJoints: false })).character;
    if (mesh.positions.length === 0) return readCharacter(file, { maxMemory });
    const joints = fitTemplate(mesh, template, fit ? meshDepth(mesh) : undefined);
    return readCharacter(file, { maxMemory, joints });
  }
  if (!skeleton) return readCharacter(file, { maxMemory });
  const rig = await openInput(skeleton, maxMemory);
  const given = await readCharacter(file, { maxMemory, skeleton: rig });
  const { mesh, skeleton: own } = given.character;
  if (mesh.triangles.length === 0 || own.names.length === 0) return given;
  const { before, changes, skeleton: joints } = alignSkeleton(meshDepth(mesh), own);
  if (fit && changes.length > 0) return readCharacter(file, { maxMemory, joints });
  if (!fit && before < FEW) {
    const share = Math.round(before * 100);
    const help = changes.length > 0 ? "; --fit aligns it" : "";
    given.oddities.push(`Only ${share} % of the skeleton's joints are in the body${help}.`);
  }
  return given;
}
