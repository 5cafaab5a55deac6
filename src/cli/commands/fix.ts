import { defaultOutput } from "../../disk/output-paths.ts";
import { fixFile } from "../../files/fix-file.ts";
import { InputError } from "../../input-error.ts";
import type { Command } from "../command.ts";
import { poseLines } from "../report-text.ts";
import { FORCE_OPTION, verbOptions } from "../verb-options.ts";

/** `heterskin fix`: checks weights in extreme poses and applies the remedies that help. */
export const fix: Command = {
  name: "fix",
  summary:
    "Check weights made by any tool in extreme poses, and fix what detaches, tears or stands still.",
  usage: "fix <skinned> [out] [--all | --finding <n>]",
  positionals: [1, 2],
  options: {
    ...verbOptions("fix"),
    force: FORCE_OPTION,
  },
  examples: [
    ["heterskin fix hero.glb", "Lists the findings of the pose check."],
    ["heterskin fix hero.glb better.glb --all", "Keeps each remedy that improves the check."],
  ],
  async run(args, context) {
    const [input, given] = args.positionals;
    const all = args.flag("all");
    const finding = args.text("finding");
    if (all && finding) throw new InputError("Use either --all or --finding, not both.");
    if (given && !all && !finding) {
      throw new InputError(
        "Nothing to write yet; add --all, or --finding with a number of the list.",
      );
    }
    const findings = finding?.split(",").map((number) => Number(number.trim()));
    if (findings?.some((number) => !(Number.isInteger(number) && number >= 1))) {
      throw new InputError(`--finding takes numbers from 1, such as 1,3; got "${finding}".`);
    }
    const output = all || finding ? (given ?? defaultOutput(input)) : undefined;
    const fixed = await fixFile(input, output, { findings, force: args.flag("force") });
    for (const note of fixed.notes) context.warn(`note: ${note}`);
    for (const line of poseLines(fixed.before)) context.print(line);
    if (!output) return;
    for (const { remedy, text: what, isKept } of fixed.remedies) {
      const how =
        remedy === undefined ? "no remedy" : isKept ? `done: ${remedy}` : `not kept: ${remedy}`;
      context.print(`remedy      ${what} ${how}`);
    }
    const [before, after] = [fixed.before, fixed.after].map(({ findings: list }) => list.length);
    context.print(`findings    ${before} before, ${after} after`);
    context.print(
      fixed.isWritten
        ? `written     ${output}`
        : "written     nothing; no remedy improves the poses",
    );
  },
};
