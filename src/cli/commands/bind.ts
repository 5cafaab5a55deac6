import { InputError } from "../../input-error.ts";
import { checkOutput } from "../../io/node.ts";
import { SKIN_DEFAULTS } from "../../skin.ts";
import { METHOD_NAMES } from "../../solve/methods.ts";
import { bindFile } from "../bind-file.ts";
import { bindReportLines } from "../bind-report.ts";
import type { Command, CommandArguments } from "../command.ts";
import { FINISHING_OPTIONS, TRIM_OPTIONS } from "../finishing-options.ts";
import { THREADS_OPTION } from "../measure-options.ts";
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
    ...TRIM_OPTIONS,
    ...FINISHING_OPTIONS,
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
    threads: THREADS_OPTION,
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
    const report = await bindFile(input, output, args, context);
    for (const line of bindReportLines(report)) context.print(line);
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
