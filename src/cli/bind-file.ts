import { readCharacterFile, writeAtomically, writeCharacterFile } from "../io/node.ts";
import { describeProvider } from "../onnx/choose-provider.ts";
import { encodePng } from "../picture/png.ts";
import { SKIN_DEFAULTS, type SkinOptions, type SkinResult, skin } from "../skin.ts";
import { startStageClock } from "../stage-clock.ts";
import type { Character } from "../weights/character.ts";
import type { SkinWeights } from "../weights/skin-weights.ts";
import { drawBindPicture } from "./bind-picture.ts";
import { type BindReport, createBindReport } from "./bind-report.ts";
import { summarizeCharacter } from "./character-summary.ts";
import type { CommandArguments, CommandContext } from "./command.ts";
import { loadModel } from "./default-model.ts";
import { finishingFrom } from "./finishing-options.ts";

/**
 * Does the work of `bind` on one file: reads, weighs, writes, and sums up what happened.
 *
 * @param args as parsed for `bind`
 */
export async function bindFile(
  input: string,
  output: string,
  args: CommandArguments,
  context: Pick<CommandContext, "progress" | "warn" | "signal">,
): Promise<BindReport> {
  const { report, stop } = startStageClock(context.progress);
  report("read", 0);
  const skeletonFile = args.text("skeleton");
  const file = await readCharacterFile(input, skeletonFile ? { skeleton: skeletonFile } : {});
  const { character } = file;
  const options = await skinOptions(args, context);
  const result = isBare(character)
    ? noWeights(options)
    : await skin(character, { ...options, onProgress: report });
  report("write", 0);
  const { maxInfluences } = options;
  await writeCharacterFile(output, file, result.weights, {
    maxInfluences,
    force: args.flag("force"),
  });
  const facts = createBindReport({
    input: summarizeCharacter(file),
    inputFile: input,
    ...(skeletonFile ? { skeletonFile } : {}),
    outputFile: output,
    character,
    options,
    result,
    provider: options.model && (await describeProvider(options.provider)),
    timings: stop(),
  });
  await writeBesides(facts, character, result.weights, args);
  for (const warning of [...file.oddities, ...result.warnings]) context.warn(`note: ${warning}`);
  return facts;
}

/** A skeleton without a mesh is converted; there is nothing to weigh in it. */
function isBare({ mesh, skeleton }: Character): boolean {
  return mesh.positions.length === 0 && skeleton.parents.length > 0;
}

function noWeights({
  method,
  maxInfluences,
}: {
  method: string;
  maxInfluences: number;
}): SkinResult {
  const weights = {
    influences: maxInfluences,
    joints: new Uint16Array(0),
    weights: new Float32Array(0),
  };
  const doubts = { vertices: new Uint8Array(0), bones: [] };
  return { weights, method, timings: {}, warnings: [], doubts };
}

/** The report and the picture, where they were asked for. */
async function writeBesides(
  facts: BindReport,
  character: Character,
  weights: SkinWeights,
  args: CommandArguments,
): Promise<void> {
  const report = args.text("report");
  if (report) {
    await writeAtomically([[report, Buffer.from(`${JSON.stringify(facts, null, 2)}\n`)]]);
  }
  const picture = args.text("picture");
  if (picture) {
    const title = `${character.name}: ${facts.method}, ${facts.input.joints} joints`;
    await writeAtomically([[picture, encodePng(drawBindPicture(character, weights, title))]]);
  }
}

async function skinOptions(args: CommandArguments, { signal }: Pick<CommandContext, "signal">) {
  const method = args.text("method") ?? SKIN_DEFAULTS.method;
  const resolution = args.number("resolution");
  const threads = args.number("threads");
  const provider = args.text("provider") as NonNullable<SkinOptions["provider"]> | undefined;
  const model = await loadModel(method, args.text("model"));
  return {
    method,
    maxInfluences: args.number("max-influences") ?? SKIN_DEFAULTS.maxInfluences,
    prune: args.number("prune") ?? SKIN_DEFAULTS.prune,
    ...finishingFrom(args),
    signal,
    ...(resolution === undefined ? {} : { resolution }),
    ...(threads === undefined ? {} : { threads }),
    ...(provider === undefined ? {} : { provider }),
    ...(model === undefined ? {} : { model }),
  };
}
