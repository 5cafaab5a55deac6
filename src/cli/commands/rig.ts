import { defaultOutput } from "../../disk/output-paths.ts";
import { type BindFileOptions, bindFile } from "../../files/bind-file.ts";
import { type Command, text } from "../command.ts";
import { bindReportLines } from "../report-text.ts";
import { bindSettings, FORCE_OPTION, verbOptions } from "../verb-options.ts";

/** The template that suits the mesh. */
const AUTO = "template:auto";

const { fit: _, ...options } = verbOptions("bind");

/** `heterskin rig`: puts a skeleton into a mesh, binds it and adds motions; `bind --fit` by another name. */
export const rig: Command = {
  name: "rig",
  summary: "Fit a skeleton into a mesh, bind it and add motions, in one step.",
  usage: "rig <mesh> [out] [options]",
  positionals: [1, 2],
  options: {
    ...options,
    skeleton: { ...options.skeleton, default: AUTO },
    force: FORCE_OPTION,
    report: text("file.json", "Write counts, timings and checks as JSON."),
    picture: text("file.png", "Write a picture of the result."),
  },
  examples: [
    [
      "heterskin rig body.obj hero.glb --motion walk,wave",
      "Chooses a template; it walks and waves.",
    ],
    [
      "heterskin rig body.obj hero.glb --names mixamo --fingers 5",
      "Names the joints as Mixamo does.",
    ],
    ["heterskin rig body.obj hero.vrm --names vrm --fingers 5", "Writes a VRM 1.0 humanoid."],
    [
      "heterskin rig orc.glb out.glb --skeleton elf.glb",
      "Fits the skeleton of another character, with its animations.",
    ],
  ],
  async run(args, context) {
    const { force, report: reportOption, picture } = rig.options;
    const [input, output = defaultOutput(input)] = args.positionals;
    const { report, notes } = await bindFile(input, output, {
      ...bindSettings(args),
      skeleton: args.text("skeleton") ?? AUTO,
      fit: true,
      ...args.settings<BindFileOptions>({ force, report: reportOption, picture }),
      onProgress: context.progress,
      signal: context.signal,
    });
    for (const note of notes) context.warn(`note: ${note}`);
    for (const line of bindReportLines(report, output)) context.print(line);
  },
};
