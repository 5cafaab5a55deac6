import path from "node:path";
import { readNotes } from "../adapt/adapt-notes.ts";
import type { Character } from "../character/character.ts";
import { writeCharacterFile } from "../disk/character-files.ts";
import { checkPlainFile } from "../disk/open-input.ts";
import { checkOutput, outputFormat } from "../disk/output-paths.ts";
import { writeText, writeWhole } from "../disk/write-whole.ts";
import { CARRIED_SHARE } from "../fit/fit-skeleton.ts";
import type { CharacterFile } from "../formats/character-file.ts";
import { describeFile, fileLosses } from "../formats/describe-file.ts";
import { endingOf } from "../formats/endings.ts";
import { type GltfJson, isVrm } from "../formats/gltf/gltf-json.ts";
import { InputError } from "../input-error.ts";
import { vertexCount } from "../mesh/mesh.ts";
import {
  MOTIONS,
  type MotionClip,
  type MotionName,
  makeMotion,
  motionsFor,
} from "../motion/motions.ts";
import { describeProvider } from "../onnx/choose-provider.ts";
import { pickOptions } from "../options.ts";
import { SKIN_DEFAULTS, type SkinOptions, type SkinResult, skin } from "../skin.ts";
import { startStageClock } from "../stage-clock.ts";
import { DEFAULT_INFLUENCES } from "../weights/weight-locks.ts";
import { type BindReport, createBindReport } from "./bind-report.ts";
import {
  type BoundLevel,
  type LodSettings,
  readLevels,
  transferLevels,
  writeLevels,
} from "./lod-files.ts";
import { loadModel } from "./model-files.ts";
import { readForBind, type SkeletonSettings } from "./read-for-bind.ts";

/** How a file is bound: the options of `skin`, with paths for files; plain data. */
export interface BindSettings
  extends Omit<SkinOptions, "model" | "adapted" | "cache" | "onProgress" | "signal">,
    SkeletonSettings {
  /** Names of motions to add, comma-separated. */
  motion?: string | undefined;
  /** Path of an `.onnx` model; by default the shipped one. */
  model?: string | undefined;
  /** Paths of rigged characters, or of folders of them, whose style the model learns first. */
  like?: string[] | undefined;
  /** Whether to reuse and to store the model adapted to `like`; default true. */
  cache?: boolean | undefined;
  /** Whether skinned meshes move to the top of a glTF scene; default false. */
  liftMeshes?: boolean | undefined;
  /** Path of a model that is already adapted to `like`. */
  adapted?: string | undefined;
}

/** Options for {@link bindFile}. */
export interface BindFileOptions extends BindSettings, Pick<SkinOptions, "onProgress" | "signal"> {
  /** Overwrite existing files; default false. */
  force?: boolean | undefined;
  /** Path of a report to write, as JSON. */
  report?: string | undefined;
  /** Path of a picture of the result to write, as PNG. */
  picture?: string | undefined;
  /** Lower levels of detail that get the weights as well. */
  lods?: LodSettings | undefined;
  /** Write the picture only if the doubt is at least this, or a pose shows a fault; default 0. */
  pictureFrom?: number | undefined;
}

/** The result of {@link bindFile}. */
interface BoundFile {
  report: BindReport;
  /** Oddities of the file and repairs, one sentence each. */
  notes: string[];
  /** Levels of detail that were written. */
  levels: BoundLevel[];
}

/** Binds one file: reads it, computes the weights, writes the output and reports. */
export async function bindFile(
  input: string,
  output: string,
  options: BindFileOptions = {},
): Promise<BoundFile> {
  const format = await checkOutputs(input, output, options);
  const { lods } = options;
  const { report, stop } = startStageClock(options.onProgress);
  report("read", 0);
  const motionNames = readMotionNames(options.motion);
  const { file, animationsOf, hasCarried } = await readForBind(input, options);
  const { blend = hasCarried ? CARRIED_SHARE : 0 } = options;
  const { character } = file;
  if (vertexCount(character.mesh) === 0) {
    throw new InputError({
      where: file.source.name,
      what: "there is no mesh in this file",
      remedy: { option: "skeleton", advice: "bind a mesh and use this file as its skeleton" },
    });
  }
  const read = lods && (await readLevels(output, lods, options.signal));
  const { method = SKIN_DEFAULTS.method, maxInfluences = SKIN_DEFAULTS.maxInfluences } = options;
  const base = await loadModel(method, options.model);
  const adapted = await adaptedModel(method, base, { ...options, onProgress: report });
  const result = await skin(character, {
    ...(pickOptions("bind", "library", options) as SkinOptions),
    method,
    blend,
    model: base,
    adapted,
    onProgress: report,
    signal: options.signal,
  });
  report("write", 0);
  const { force } = options;
  const found = read ? await transferLevels(read, character, result.weights, options.signal) : [];
  const { motions, missing } = makeMotions(character, motionNames);
  const written = await writeCharacterFile(output, file, result.weights, {
    maxInfluences,
    force,
    motions,
    animationsOf,
    liftMeshes: options.liftMeshes,
    // The bones of a VRM stay as they are; a note says that they refer to the original joints.
    humanoid: format === "vrm" && options.skeleton !== undefined && !isVrm(file.source.json),
  });
  const levels = read ? await writeLevels(read, file, found) : [];
  const facts = createBindReport({
    input: describeFile(file),
    inputFile: input,
    outputFile: output,
    character,
    options: { ...options, blend },
    result,
    learned: adapted && readNotes(adapted),
    provider: base && (await describeProvider(options.provider)),
    timings: stop(),
    lost: fileLosses(file, format, { motions, liftMeshes: options.liftMeshes }),
  });
  await writeExtraFiles(facts, character, result, options);
  const notes = [
    ...file.oddities,
    ...result.warnings,
    ...missing,
    ...(options.skeleton ? staleReferences(file.source.json) : []),
    ...outputNotes(file, format, maxInfluences),
    ...(written.includes(output) ? [] : [`There is a file per mesh: ${written.join(", ")}.`]),
  ];
  for (const level of levels) {
    notes.push(...level.notes.map((note) => `${path.basename(level.output)}: ${note}`));
  }
  return { report: facts, notes, levels };
}

/** Returns the model adapted to the examples, if there are any. */
export async function adaptedModel(
  method: string,
  base: Uint8Array | undefined,
  { like = [], adapted, ...options }: BindFileOptions,
): Promise<Uint8Array | undefined> {
  if (adapted) return loadModel(method, adapted);
  if (like.length === 0) return undefined;
  if (!base) {
    throw new InputError({
      what: `the method ${method} runs no network, so it cannot learn from examples`,
      remedy: { option: "like", advice: "omit the examples" },
    });
  }
  const { adaptFiles } = await import("./adapt-files.ts");
  return (await adaptFiles(like, base, options)).model;
}

/** Describes what still refers to the original joints after the skeleton was replaced, one sentence each. */
function staleReferences(json: GltfJson): string[] {
  const { skins = [], animations = [] } = json;
  const joints = new Set(skins.flatMap((skin) => skin.joints));
  const count = animations.filter(({ channels }) =>
    channels.some(({ target }) => joints.has(target.node ?? -1)),
  ).length;
  const subject = count === 1 ? "animation targets" : "animations target";
  return [
    ...(count > 0
      ? [`${count} ${subject} the original joints; the mesh follows the new skeleton.`]
      : []),
    ...(isVrm(json)
      ? ["The VRM bones refer to the original joints; assign them to the new skeleton."]
      : []),
  ];
}

function outputNotes(
  { source }: CharacterFile,
  format: ReturnType<typeof outputFormat>,
  maxInfluences: number,
): string[] {
  if (format === "fbx" && source.fbx?.isText) {
    return ["The text FBX was written as a binary FBX (version 7.4)."];
  }
  if (format !== "vrm" || maxInfluences <= DEFAULT_INFLUENCES) return [];
  return [
    `Most VRM readers, including UniVRM, use only ${DEFAULT_INFLUENCES} influences per vertex; limit the influences to ${DEFAULT_INFLUENCES} for a result that they show exactly.`,
  ];
}

/** Fails before any work if an output could not be written; returns the format of the output. */
async function checkOutputs(
  input: string,
  output: string,
  options: BindFileOptions,
): Promise<ReturnType<typeof outputFormat>> {
  const { report, picture, force, skeleton, model } = options;
  await checkPlainFile(input, options.maxMemory);
  if (picture && !/\.png$/i.test(picture)) {
    throw new InputError(`${picture}: a picture name must end in .png.`);
  }
  const format = outputFormat(output);
  if (format === "dae" && endingOf(input) !== ".dae") {
    throw new InputError(
      `${output}: .dae can only be written if the input is .dae; write a .glb or .fbx instead.`,
    );
  }
  const isGiven = (file: string | undefined) => file !== undefined;
  const extraFiles = [report, picture].filter(isGiven);
  await checkOutput(output, force, extraFiles, [input, skeleton, model].filter(isGiven));
  return format;
}

/** Writes the report and the picture, if requested. */
async function writeExtraFiles(
  facts: BindReport,
  character: Character,
  { weights, doubts: { poses: check } }: SkinResult,
  { report, picture, pictureFrom = 0 }: BindFileOptions,
): Promise<void> {
  if (report) writeText(report, `${JSON.stringify(facts, null, 2)}\n`);
  if (picture && (facts.doubt >= pictureFrom || !facts.poses.passed)) {
    const title = `${character.name}: ${facts.method}, ${facts.input.joints} joints`;
    const { drawBindPicture } = await import("./bind-picture.ts");
    const { encodePng } = await import("../picture/png.ts");
    writeWhole([[picture, encodePng(drawBindPicture(character, weights, title, check), 6)]]);
  }
}

/** Parses a list of motions; throws `InputError` for an unknown name. */
function readMotionNames(text: string | undefined): MotionName[] {
  const names = (text ?? "").split(",").map((name) => name.trim());
  return names.filter(Boolean).map((name) => {
    const found = MOTIONS.find((known) => known === name);
    if (found) return found;
    throw new InputError(`There is no motion "${name}"; choose from ${MOTIONS.join(", ")}.`);
  });
}

/** Makes motions for a character, and a sentence for each that its body cannot do. */
function makeMotions(
  { skeleton, mesh }: Pick<Character, "skeleton" | "mesh">,
  names: readonly MotionName[],
): { motions: MotionClip[]; missing: string[] } {
  const made = names.map((name) => makeMotion(skeleton, name, mesh));
  return {
    motions: made.filter((clip) => clip !== undefined),
    missing: names
      .filter((_, i) => !made[i])
      .map(
        (name) =>
          `The skeleton cannot do the motion ${name}: it lacks joints, or lies in its bind pose; it can do ${motionsFor(skeleton, mesh).join(", ")}.`,
      ),
  };
}
