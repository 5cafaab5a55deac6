import { defaultOutput } from "../../disk/output-paths.ts";
import { type BindFileOptions, bindFile } from "../../files/bind-file.ts";
import { BIND_OPTIONS, bindSettings, FORCE_OPTION } from "../bind-options.ts";
import { type Command, text } from "../command.ts";
import { bindReportLines } from "../report-text.ts";

/** `heterskin bind`: gives a file's meshes new skin weights. */
export const bind: Command = {
  name: "bind",
  summary: "Give a character its skin weights and write it as GLB, glTF, VRM, FBX or DAE.",
  usage: "bind <in> [out] [options]",
  positionals: [1, 2],
  options: {
    ...BIND_OPTIONS,
    force: FORCE_OPTION,
    report: text("file.json", "Write counts, timings and checks as JSON."),
    picture: text("file.png", "Draw the result."),
  },
  examples: [
    ["heterskin bind fox.glb", "Writes fox.skinned.glb beside it."],
    ["heterskin bind body.fbx out.glb --skeleton rig.glb", "A mesh and a skeleton of two files."],
    [
      "heterskin bind body.obj out.glb --skeleton template:biped --fit",
      "A mesh without a skeleton gets one.",
    ],
    [
      "heterskin bind hero.fbx out.fbx --max-influences 8 --report r.json --picture p.png",
      "FBX stays FBX; eight joints per vertex, a report and a picture of the result.",
    ],
  ],
  async run(args, context) {
    const [input, output = defaultOutput(input)] = args.positionals;
    const { report, notes } = await bindFile(input, output, {
      ...args.settings<BindFileOptions>(bind.options),
      ...bindSettings(args),
      onProgress: context.progress,
      signal: context.signal,
    });
    for (const note of notes) context.warn(`note: ${note}`);
    for (const line of bindReportLines(report, output)) context.print(line);
  },
};
