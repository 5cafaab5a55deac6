import { readNotes } from "../adapt/adapt-notes.ts";
import type { Character } from "../character/character.ts";
import { writeCharacterFile } from "../disk/character-files.ts";
import { checkPlainFile, openInput } from "../disk/open-input.ts";
import { checkOutput, outputFormat } from "../disk/output-paths.ts";
import { writeText, writeWhole } from "../disk/write-whole.ts";
import { alignSkeleton } from "../fit/align-skeleton.ts";
import { fitTemplate, meshDepth } from "../fit/fit-template.ts";
import type { CharacterFile } from "../formats/character-file.ts";
import { describeFile, fileLosses } from "../formats/describe-file.ts";
import { endingOf } from "../formats/endings.ts";
import { type GltfJson, isVrm } from "../formats/gltf/gltf-json.ts";
import { readCharacter } from "../formats/read-character.ts";
import { InputError } from "../input-error.ts";
import { describeProvider } from "../onnx/choose-provider.ts";
import { pickOptions } from "../options.ts";
import { SKIN_DEFAULTS, type SkinOptions, skin } from "../skin.ts";
import { startStageClock } from "../stage-clock.ts";
import type { SkinWeights } from "../weights/skin-weights.ts";
import { DEFAULT_INFLUENCES } from "../weights/weight-locks.ts";
import { type BindReport, createBindReport } from "./bind-report.ts";
import { loadModel } from "./load-model.ts";

/** How a file is bound: the options of `skin`, files by their paths; plain data. */
export interface BindSettings
  extends Omit<SkinOptions, "model" | "adapted" | "cache" | "onProgress" | "signal">,
    SkeletonSettings {
  /** Path of an `.onnx` model; the package's own unless told. */
  model?: string | undefined;
  /** Paths of rigged characters, or folders of them, whose style the model learns first. */
  like?: string[] | undefined;
  /** Whether to reuse, and to keep, what is learned from `like`; default true. */
  cache?: boolean | undefined;
  /** Path of a model that has learned from `like` already. */
  adapted?: string | undefined;
}

/** Options for {@link bindFile}. */
export interface BindFileOptions extends BindSettings, Pick<SkinOptions, "onProgress" | "signal"> {
  /** Overwrite files that are there; default false. */
  force?: boolean | undefined;
  /** Where to write a report, as JSON. */
  report?: string | undefined;
  /** Where to draw the result, as PNG. */
  picture?: string | undefined;
  /** Draw it only if so much doubt, or more, is left about the weights. */
  pictureFrom?: number | undefined;
}

/** What {@link bindFile} did. */
export interface BoundFile {
  report: BindReport;
  /** What was odd in the file, or had to be repaired; a sentence each. */
  notes: string[];
}

/** Binds one file: reads, weighs, writes, and sums up what happened. */
export async function bindFile(
  input: string,
  output: string,
  options: BindFileOptions = {},
): Promise<BoundFile> {
  await checkOutputs(input, output, options);
  const { report, stop } = startStageClock(options.onProgress);
  report("read", 0);
  const file = await readForBind(input, options);
  const { character } = file;
  if (character.mesh.positions.length === 0) {
    throw new InputError({
      where: file.source.name,
      what: "there is no mesh in this file",
      remedy: { option: "skeleton", advice: "bind a mesh and use this file as its skeleton" },
    });
  }
  const { method = SKIN_DEFAULTS.method, maxInfluences = SKIN_DEFAULTS.maxInfluences } = options;
  const base = await loadModel(method, options.model);
  const adapted = await adaptedModel(method, base, { ...options, onProgress: report });
  const result = await skin(character, {
    ...(pickOptions("bind", "library", options) as SkinOptions),
    method,
    model: base,
    adapted,
    onProgress: report,
    signal: options.signal,
  });
  report("write", 0);
  const { force } = options;
  await writeCharacterFile(output, file, result.weights, { maxInfluences, force });
  const facts = createBindReport({
    input: describeFile(file),
    inputFile: input,
    outputFile: output,
    character,
    options,
    result,
    learned: adapted && readNotes(adapted),
    provider: base && (await describeProvider(options.provider)),
    timings: stop(),
    lost: fileLosses(file, outputFormat(output)),
  });
  await writeBesides(facts, character, result.weights, options);
  const notes = [
    ...file.oddities,
    ...result.warnings,
    ...(options.skeleton ? leftBehind(file.source.json) : []),
    ...outputNotes(file, output, maxInfluences),
  ];
  return { report: facts, notes };
}

/** The model once it has learned from the examples; nothing where there are none. */
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

/** What still hangs on the joints of a file that others took the place of, a sentence each. */
function leftBehind(json: GltfJson): string[] {
  const { skins = [], animations = [] } = json;
  const joints = new Set(skins.flatMap((skin) => skin.joints));
  const count = animations.filter(({ channels }) =>
    channels.some(({ target }) => joints.has(target.node ?? -1)),
  ).length;
  const moves = count === 1 ? "animation moves" : "animations move";
  return [
    ...(count > 0
      ? [`${count} ${moves} the joints the file had; the mesh follows the new ones.`]
      : []),
    ...(isVrm(json)
      ? ["The bones of the VRM are the joints the file had; assign them anew to the new ones."]
      : []),
  ];
}

/** What is to be known about the file that was written, a sentence each. */
function outputNotes({ source }: CharacterFile, output: string, maxInfluences: number): string[] {
  const ending = endingOf(output);
  if (ending === ".fbx" && source.fbx?.isText) {
    return ["The text FBX was written as a binary one, of version 7.4."];
  }
  if (ending !== ".vrm" || maxInfluences <= DEFAULT_INFLUENCES) return [];
  return [
    `Most programs that read VRM keep ${DEFAULT_INFLUENCES} influences a vertex, UniVRM among them; bind with ${DEFAULT_INFLUENCES} to write what they show.`,
  ];
}

async function checkOutputs(
  input: string,
  output: string,
  options: BindFileOptions,
): Promise<void> {
  const { report, picture, force, skeleton, model } = options;
  await checkPlainFile(input, options.maxMemory);
  if (picture && !/\.png$/i.test(picture)) {
    throw new InputError(`${picture}: pictures end in .png.`);
  }
  for (const [ending, named] of [
    [".fbx", "an .fbx"],
    [".dae", "a .dae"],
  ]) {
    if (endingOf(output) !== ending || endingOf(input) === ending) continue;
    throw new InputError(`${output}: ${named} can only be made of ${named}; write a .glb instead.`);
  }
  await checkOutput(
    output,
    force,
    [report, picture].filter((file) => file !== undefined),
    [input, skeleton, model].filter((file) => file !== undefined),
  );
}

/** The report and the picture, where they were asked for. */
async function writeBesides(
  facts: BindReport,
  character: Character,
  weights: SkinWeights,
  { report, picture, pictureFrom = 0 }: BindFileOptions,
): Promise<void> {
  if (report) {
    writeText(report, `${JSON.stringify(facts, null, 2)}\n`);
  }
  if (picture && facts.doubt >= pictureFrom) {
    const title = `${character.name}: ${facts.method}, ${facts.input.joints} joints`;
    const { drawBindPicture } = await import("./bind-picture.ts");
    const { encodePng } = await import("../picture/png.ts");
    writeWhole([[picture, encodePng(drawBindPicture(character, weights, title))]]);
  }
}

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
async function readForBind(
  input: string,
  { skeleton, fit = false, maxMemory }: SkeletonSettings,
): Promise<CharacterFile> {
  if (fit && !skeleton) {
    throw new InputError({
      what: "there is no skeleton to fit to the mesh",
      remedy: { option: "skeleton", advice: "choose one" },
    });
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
    const help = changes.length > 0 ? "; fit it to the mesh" : "";
    given.oddities.push(`Only ${share} % of the skeleton's joints are in the body${help}.`);
  }
  return given;
}
