import { type BindFileOptions, bindFile } from "../../files/bind-file.ts";
import { levelOutputs } from "../../files/lod-files.ts";
import { templateOf } from "../../files/read-for-bind.ts";
import {
  type Command,
  type CommandArguments,
  type CommandContext,
  type CommandOption,
  text,
} from "../command.ts";
import { FILE_OPTIONS, runFileJobs } from "../file-jobs.ts";
import { PIPE, pipeText } from "../pipes.ts";
import { bindReportLines } from "../report-text.ts";
import {
  bindSettings,
  FORCE_OPTION,
  INFLUENCES,
  levelLine,
  lodSettings,
  verbOptions,
} from "../verb-options.ts";

/** Options of what is written. */
export const BIND_OUTPUTS: Record<string, CommandOption> = {
  force: FORCE_OPTION,
  report: text("file.json", "Write counts, timings and checks as JSON; - is standard output."),
  picture: text("file.png", "Write a picture of the result."),
  ...FILE_OPTIONS,
};

/** `heterskin bind`: computes skin weights for the meshes of a file. */
export const bind: Command = {
  name: "bind",
  summary: "Compute the skin weights of a character and write GLB, glTF, VRM, FBX, DAE or USD.",
  usage: "bind <in> [out] [options], bind <in...> <folder> [options]",
  positionals: [1, Number.POSITIVE_INFINITY],
  options: {
    ...verbOptions("bind"),
    ...verbOptions("lods"),
    "max-influences": INFLUENCES,
    ...BIND_OUTPUTS,
  },
  examples: [
    ["heterskin bind fox.glb", "Writes fox.skinned.glb next to it."],
    [
      "heterskin bind hero.glb out/hero.glb --lods lod1.glb,lod2.glb --max-influences 4,2,1",
      "One solve for all levels of detail.",
    ],
    ['heterskin bind "rigs/*.glb" out/', "Several files into a folder."],
    ["cat fox.glb | heterskin bind - - --format fbx > fox.fbx", "Standard input and output."],
    ["heterskin bind hero.fbx weights.xml", "Writes the weights alone, for Maya."],
    [
      "heterskin bind body.fbx out.glb --skeleton rig.glb",
      "Takes the mesh and the skeleton from two files.",
    ],
    [
      "heterskin bind body.obj out.glb --skeleton template:biped --fit",
      "Fits a template skeleton to a bare mesh.",
    ],
    [
      "heterskin bind hero.glb hero.fbx --max-influences 8 --report r.json --picture p.png",
      "Writes an FBX; up to eight influences, a report and a picture.",
    ],
  ],
  run: (args, context) => bindFiles(args, context, bindSettings(args)),
};

/** Options of a bind in addition to those of the verb. */
type OwnSettings = Pick<BindFileOptions, "force" | "report" | "picture">;

function ownSettings(args: CommandArguments): OwnSettings {
  const { force, report, picture } = BIND_OUTPUTS;
  return args.settings<OwnSettings>({ force, report, picture });
}

/** Binds the files of a command line, for `bind` and `rig`. */
export async function bindFiles(
  args: CommandArguments,
  context: CommandContext,
  given: BindFileOptions,
): Promise<void> {
  const settings = { ...given, ...ownSettings(args) };
  const lods = args.has("lods") ? lodSettings(args, settings) : undefined;
  const { skeleton, model, like = [], report: reportPath, picture } = settings;
  const isPiped = reportPath === PIPE;
  await runFileJobs(args, context, {
    hasMotion: settings.motion !== undefined,
    reads: [
      templateOf(skeleton) === undefined ? skeleton : undefined,
      model,
      ...like,
      ...(lods?.files ?? []),
    ],
    writes: [reportPath, picture],
    levels: lods && ((output) => levelOutputs(lods, output)),
    async run({ input, output, shown }) {
      const { report, notes, levels } = await bindFile(input, output, {
        ...settings,
        report: isPiped ? undefined : reportPath,
        lods,
        onProgress: context.progress,
        signal: context.signal,
      });
      for (const note of notes) context.warn(`note: ${note}`);
      for (const line of bindReportLines(report, shown)) context.print(line);
      for (const [index, level] of levels.entries()) context.print(levelLine(level, index + 1));
      if (isPiped) pipeText(context, `${JSON.stringify(report, null, 2)}\n`);
      return { input, output, report, notes, levels };
    },
  });
}
