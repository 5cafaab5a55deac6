import { defaultOutput } from "../../disk/output-paths.ts";
import { type BindFileOptions, bindFile } from "../../files/bind-file.ts";
import { type Command, text } from "../command.ts";
import { bindReportLines } from "../report-text.ts";
import { bindSettings, FORCE_OPTION, verbOptions } from "../verb-options.ts";

/** `heterskin bind`: computes skin weights for the meshes of a file. */
export const bind: Command = {
  name: "bind",
  summary: "Compute the skin weights of a character and write GLB, glTF, VRM, FBX or DAE.",
  usage: "bind <in> [out] [options]",
  positionals: [1, 2],
  options: {
    ...verbOptions("bind"),
    force: FORCE_OPTION,
    report: text("file.json", "Write counts, timings and checks as JSON."),
    picture: text("file.png", "Write a picture of the result."),
  },
  examples: [
    ["heterskin bind fox.glb", "Writes fox.skinned.glb next to it."],
    [
      "heterskin bind body.fbx out.glb --skeleton rig.glb",
      "Takes the mesh and the skeleton from two files.",
    ],
    [
      "heterskin bind body.obj out.glb --skeleton template:biped --fit",
      "Fits a template skeleton to a bare mesh.",
    ],
    [
      "heterskin bind hero.fbx out.fbx --max-influences 8 --report r.json --picture p.png",
      "Keeps FBX; up to eight influences, a report and a picture.",
    ],
  ],
  async run(args, context) {
    const { force, report: reportOption, picture } = bind.options;
    const [input, output = defaultOutput(input)] = args.positionals;
    const { report, notes } = await bindFile(input, output, {
      ...bindSettings(args),
      ...args.settings<BindFileOptions>({ force, report: reportOption, picture }),
      onProgress: context.progress,
      signal: context.signal,
    });
    for (const note of notes) context.warn(`note: ${note}`);
    for (const line of bindReportLines(report, output)) context.print(line);
  },
};
