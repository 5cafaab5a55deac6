import type { BindSettings } from "../files/bind-file.ts";
import type { BoundLevel, LodSettings } from "../files/lod-files.ts";
import { InputError } from "../input-error.ts";
import { OPTIONS, optionProblem } from "../options.ts";
import { type CommandArguments, type CommandOption, text } from "./command.ts";

/** The option `--max-influences` of a command that binds several levels of detail. */
export const INFLUENCES: CommandOption = text(
  "n",
  "Maximum influences per vertex (1 to 8); with --lods one for each level, comma-separated.",
  OPTIONS.maxInfluences.default as number,
);

/** Returns the influences of each level, level 0 first. */
export function influencesOf(args: CommandArguments): number[] {
  const values = `${args.text("max-influences")}`
    .split(",")
    .map((value) => Number(value || Number.NaN));
  for (const value of values) {
    const problem = optionProblem(OPTIONS.maxInfluences, value);
    if (problem) throw new InputError(`--max-influences ${problem}.`);
  }
  return values;
}

/** Returns the levels of detail of a command line; undefined if there are none. */
export function lodSettings(
  args: CommandArguments,
  {
    force,
    maxMemory,
    liftMeshes,
  }: Pick<BindSettings, "maxMemory" | "liftMeshes"> & { force?: boolean | undefined },
): LodSettings | undefined {
  const { lods: files, dropJoints = [] } = args.settings<{
    lods?: string[];
    dropJoints?: string[];
  }>({
    lods: { ...OPTIONS.lods, type: "names" },
    "drop-joints": { ...OPTIONS.dropJoints, type: "names" },
  });
  const [first, ...others] = influencesOf(args);
  if (!files || files.length === 0) {
    if (others.length > 0)
      throw new InputError("--max-influences takes one number without --lods.");
    if (dropJoints.length > 0) throw new InputError("--drop-joints needs --lods.");
    return undefined;
  }
  return {
    files,
    format: args.text("format"),
    maxInfluences: others.length > 0 ? others : [first],
    dropJoints: dropped(dropJoints, files.length),
    force,
    maxMemory,
    liftMeshes,
  };
}

/** By level: the names of `1:*finger*`. */
function dropped(words: string[], levels: number): string[][] {
  const lists = Array.from({ length: levels }, (): string[] => []);
  for (const word of words) {
    const [, level, name] = /^(\d+):(.+)$/.exec(word) ?? [];
    if (!lists[Number(level) - 1]) {
      throw new InputError(
        `--drop-joints "${word}" must name a level from 1 to ${levels} and joints, as in 1:*finger*.`,
      );
    }
    lists[Number(level) - 1].push(name);
  }
  return lists;
}

/** Describes a level for the terminal. */
export function levelLine(level: BoundLevel, index: number): string {
  const { vertices, matched, influences, output } = level;
  const percent = Math.round((matched / vertices) * 100);
  return `level ${index}     ${output}: ${vertices} vertices, ${percent} % matched, at most ${influences.length - 1} influences`;
}
