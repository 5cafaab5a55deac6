import { type FixedFile, type FixFileOptions, fixFile } from "../../files/fix-file.ts";
import { InputError } from "../../input-error.ts";
import type { Command } from "../command.ts";
import { FILE_OPTIONS, runFileJobs } from "../file-jobs.ts";
import { poseLines } from "../report-text.ts";
import { FORCE_OPTION, namedOptions, verbOptions } from "../verb-options.ts";

/** Options of reading and writing. */
const FILE_SETTINGS = { ...namedOptions(["maxMemory"]), force: FORCE_OPTION };

/** `heterskin fix`: checks weights in extreme poses and applies the remedies that help. */
export const fix: Command = {
  name: "fix",
  summary:
    "Check weights made by any tool in extreme poses, and fix what detaches, tears or stands still.",
  usage: "fix <skinned> [out] [--all | --finding <n>], fix <skinned...> <folder> --all",
  positionals: [1, Number.POSITIVE_INFINITY],
  options: {
    ...verbOptions("fix"),
    force: FORCE_OPTION,
    ...FILE_OPTIONS,
  },
  examples: [
    ["heterskin fix hero.glb", "Lists the findings of the pose check."],
    ["heterskin fix hero.glb better.glb --all", "Keeps each remedy that improves the check."],
  ],
  async run(args, context) {
    const all = args.flag("all");
    const finding = args.text("finding");
    if (all && finding) throw new InputError("Use either --all or --finding, not both.");
    if (args.positionals.length > 1 && !all && !finding) {
      throw new InputError(
        "Nothing to write yet; add --all, or --finding with a number of the list.",
      );
    }
    const hasOutput = all || finding !== undefined;
    const settings = args.settings<FixFileOptions>(FILE_SETTINGS);
    await runFileJobs(args, context, {
      hasOutput,
      async run({ input, output, shown }) {
        const to = hasOutput ? output : undefined;
        const fixed = await fixFile(input, to, { ...settings, finding });
        for (const note of fixed.notes) context.warn(`note: ${note}`);
        for (const line of poseLines(fixed.before)) context.print(line);
        if (to) for (const line of remedyLines(fixed, shown)) context.print(line);
        return { input, output: to, ...fixed };
      },
    });
  },
};

function remedyLines({ remedies, before, after }: FixedFile, output: string): string[] {
  const lines = remedies.map(({ remedy, text: what, isKept }) => {
    const how =
      remedy === undefined ? "no remedy" : isKept ? `done: ${remedy}` : `not kept: ${remedy}`;
    return `remedy      ${what} ${how}`;
  });
  const isFixed = remedies.some(({ isKept }) => isKept);
  const unchanged = isFixed ? "" : " (weights unchanged; no remedy improves the poses)";
  return [
    ...lines,
    `findings    ${before.findings.length} before, ${after.findings.length} after`,
    `written     ${output}${unchanged}`,
  ];
}
