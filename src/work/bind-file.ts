import { InputError } from "../input-error.ts";
import { describeFile } from "../io/describe-file.ts";
import { checkOutput } from "../io/disk/output-paths.ts";
import { writeText, writeWhole } from "../io/disk/write-whole.ts";
import { readCharacterFile, writeCharacterFile } from "../io/node.ts";
import { describeProvider } from "../onnx/choose-provider.ts";
import { encodePng } from "../picture/png.ts";
import { SKIN_DEFAULTS, type SkinOptions, skin } from "../skin.ts";
import { startStageClock } from "../stage-clock.ts";
import type { Character } from "../weights/character.ts";
import { USUAL_INFLUENCES } from "../weights/limit-influences.ts";
import type { SkinWeights } from "../weights/skin-weights.ts";
import { drawBindPicture } from "./bind-picture.ts";
import { type BindReport, createBindReport } from "./bind-report.ts";
import { loadModel } from "./load-model.ts";

/** How a file is bound: the options of `skin`, files by their paths; plain data. */
export interface BindSettings
  extends Omit<SkinOptions, "model" | "cache" | "onProgress" | "signal"> {
  /** Path of a file whose skeleton takes the place of the character's own. */
  skeleton?: string | undefined;
  /** Path of an `.onnx` model; the package's own unless told. */
  model?: string | undefined;
  /** Bytes each file may take while it is read, what it unpacks to included; default 1 GiB. */
  maxMemory?: number | undefined;
}

/** Options for {@link bindFile}. */
export interface BindFileOptions extends BindSettings, Pick<SkinOptions, "onProgress" | "signal"> {
  /** Overwrite files that are there; default false. */
  force?: boolean | undefined;
  /** Where to write a report, as JSON. */
  report?: string | undefined;
  /** Where to draw the result, as PNG. */
  picture?: string | undefined;
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
  const file = await readCharacterFile(input, options);
  const { character } = file;
  if (character.mesh.positions.length === 0) {
    throw new InputError(
      `${input}: there is no mesh in this file, so there is nothing to bind; a mesh's file can take its joints with --skeleton.`,
    );
  }
  const { method = SKIN_DEFAULTS.method, maxInfluences = SKIN_DEFAULTS.maxInfluences } = options;
  const model = await loadModel(method, options.model);
  const result = await skin(character, { ...options, method, model, onProgress: report });
  report("write", 0);
  const { force } = options;
  await writeCharacterFile(output, file, result.weights, { maxInfluences, force });
  const facts = createBindReport({
    input: describeFile(file),
    inputFile: input,
    skeletonFile: options.skeleton,
    outputFile: output,
    character,
    options,
    result,
    provider: model && (await describeProvider(options.provider)),
    timings: stop(),
  });
  await writeBesides(facts, character, result.weights, options);
  const notes = [...file.oddities, ...result.warnings, ...vrmNote(output, maxInfluences)];
  return { report: facts, notes };
}

/** What readers of VRM do with more than four influences. */
function vrmNote(output: string, maxInfluences: number): string[] {
  if (!/\.vrm$/i.test(output) || maxInfluences <= USUAL_INFLUENCES) return [];
  return [
    `Most programs that read VRM keep ${USUAL_INFLUENCES} influences a vertex, UniVRM among them; --max-influences ${USUAL_INFLUENCES} writes what they will show.`,
  ];
}

async function checkOutputs(
  input: string,
  output: string,
  options: BindFileOptions,
): Promise<void> {
  const { report, picture, force, skeleton, model } = options;
  if (picture && !/\.png$/i.test(picture)) {
    throw new InputError(`${picture}: pictures end in .png.`);
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
  { report, picture }: BindFileOptions,
): Promise<void> {
  if (report) {
    writeText(report, `${JSON.stringify(facts, null, 2)}\n`);
  }
  if (picture) {
    const title = `${character.name}: ${facts.method}, ${facts.input.joints} joints`;
    writeWhole([[picture, encodePng(drawBindPicture(character, weights, title))]]);
  }
}
