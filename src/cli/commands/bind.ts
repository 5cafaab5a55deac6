import { InputError } from "../../input-error.ts";
import {
  checkOutput,
  readCharacterFile,
  writeAtomically,
  writeCharacterFile,
} from "../../io/node.ts";
import { encodePng } from "../../picture/png.ts";
import { SKIN_DEFAULTS, type SkinOptions, type SkinResult, skin } from "../../skin.ts";
import { METHOD_NAMES } from "../../solve/methods.ts";
import { startStageClock } from "../../stage-clock.ts";
import type { Character } from "../../weights/character.ts";
import type { SkinWeights } from "../../weights/skin-weights.ts";
import { drawBindPicture } from "../bind-picture.ts";
import { type BindReport, bindReportLines, createBindReport } from "../bind-report.ts";
import { summarizeCharacter } from "../character-summary.ts";
import type { Command, CommandArguments, CommandContext } from "../command.ts";
import { loadModel } from "../default-model.ts";
import { checkOutputPaths, defaultOutput } from "../output-paths.ts";

/** `heterskin bind`: gives a file's meshes new skin weights. */
export const bind: Command = {
  name: "bind",
  summary: "Give a character its skin weights and write it as GLB, glTF or VRM.",
  usage: "bind <in> [out] [options]",
  positionals: [1, 2],
  options: {
    method: {
      type: "text",
      value: "name",
      default: SKIN_DEFAULTS.method,
      choices: METHOD_NAMES,
      help: "How weights are found.",
    },
    skeleton: { type: "text", value: "file", help: "Take the skeleton from another file." },
    "max-influences": {
      type: "number",
      value: "n",
      default: SKIN_DEFAULTS.maxInfluences,
      least: 1,
      most: 8,
      whole: true,
      help: "Most joints per vertex, 1 to 8.",
    },
    prune: {
      type: "number",
      value: "x",
      default: SKIN_DEFAULTS.prune,
      least: 0,
      most: 1,
      help: "Drop weights below this fraction of the vertex's largest.",
    },
    force: { type: "flag", short: "f", help: "Overwrite files that are there." },
    report: { type: "text", value: "file.json", help: "Write counts, timings and checks as JSON." },
    picture: { type: "text", value: "file.png", help: "Draw the result." },
    resolution: {
      type: "number",
      value: "n",
      least: 16,
      most: 512,
      whole: true,
      help: "Cells along the longest side of the voxel grid; without it the method decides.",
    },
    threads: {
      type: "number",
      value: "n",
      least: 1,
      most: 256,
      whole: true,
      help: "Worker threads.",
    },
    provider: {
      type: "text",
      value: "name",
      choices: ["auto", "cpu", "webgpu", "wasm"],
      help: "Where a network runs.",
    },
    model: {
      type: "text",
      value: "file.onnx",
      help: "Run another network than the package's own.",
    },
  },
  examples: [
    ["heterskin bind fox.glb", "Writes fox.skinned.glb beside it."],
    ["heterskin bind body.fbx out.glb --skeleton rig.glb", "A mesh and a skeleton of two files."],
    [
      "heterskin bind avatar.vrm out.vrm --max-influences 8 --report r.json --picture p.png",
      "Eight joints per vertex, a report and a picture of the result.",
    ],
  ],
  async run(args, context) {
    const [input, output = defaultOutput(input)] = args.positionals;
    await checkPaths(args, output);
    await bindFile(input, output, args, context);
  },
};

async function checkPaths(args: CommandArguments, output: string): Promise<void> {
  const force = args.flag("force");
  await checkOutput(output, force);
  const more = [args.text("report"), args.text("picture")].filter((file) => file !== undefined);
  const wrong = args.text("picture");
  if (wrong && !/\.png$/i.test(wrong)) throw new InputError(`${wrong}: pictures end in .png.`);
  await checkOutputPaths([output, ...more], force);
}

async function bindFile(
  input: string,
  output: string,
  args: CommandArguments,
  context: CommandContext,
): Promise<void> {
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
    timings: stop(),
  });
  await writeBesides(facts, character, result.weights, args);
  for (const warning of [...file.oddities, ...result.warnings]) context.warn(`note: ${warning}`);
  for (const line of bindReportLines(facts)) context.print(line);
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
  return { weights, method, timings: {}, warnings: [] };
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

async function skinOptions(args: CommandArguments, { signal }: CommandContext) {
  const method = args.text("method") ?? SKIN_DEFAULTS.method;
  const resolution = args.number("resolution");
  const threads = args.number("threads");
  const provider = args.text("provider") as NonNullable<SkinOptions["provider"]> | undefined;
  const model = await loadModel(method, args.text("model"));
  return {
    method,
    maxInfluences: args.number("max-influences") ?? SKIN_DEFAULTS.maxInfluences,
    prune: args.number("prune") ?? SKIN_DEFAULTS.prune,
    signal,
    ...(resolution === undefined ? {} : { resolution }),
    ...(threads === undefined ? {} : { threads }),
    ...(provider === undefined ? {} : { provider }),
    ...(model === undefined ? {} : { model }),
  };
}
