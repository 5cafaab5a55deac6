import { readCharacterFile } from "../../disk/character-files.ts";
import { describeFile, type FileDescription } from "../../formats/describe-file.ts";
import { childrenOf, type Skeleton } from "../../skeleton/skeleton.ts";
import { type Command, text } from "../command.ts";
import { FILE_OPTIONS, runFileJobs } from "../file-jobs.ts";
import { histogramText } from "../report-text.ts";
import { namedOptions } from "../verb-options.ts";

/** `heterskin inspect`: describes the contents of a file. */
export const inspect: Command = {
  name: "inspect",
  summary: "Show the contents of a character's file, and anything unusual about it.",
  usage: "inspect <in...> [--skeleton file] [--json]",
  positionals: [1, Number.POSITIVE_INFINITY],
  options: {
    skeleton: text("file", "Use the skeleton of another file."),
    "dry-run": FILE_OPTIONS["dry-run"],
    ...namedOptions(["maxMemory"]),
  },
  examples: [
    ["heterskin inspect fox.glb", "Meshes, joints, influences, bind space."],
    ["heterskin inspect fox.glb --verbose", "Also prints the tree of joints."],
    ["heterskin inspect fox.glb --json | jq .joints", "A single value for a script."],
  ],
  async run(args, context) {
    await runFileJobs(args, context, {
      hasOutput: false,
      reads: [args.text("skeleton")],
      async run({ input }) {
        const file = await readCharacterFile(input, {
          needsJoints: false,
          skeleton: args.text("skeleton"),
          maxMemory: args.requireNumber("max-memory"),
        });
        const summary = describeFile(file);
        for (const line of summaryLines(summary)) context.print(line);
        for (const line of treeLines(file.character.skeleton)) context.detail(line);
        return summary;
      },
    });
  },
};

function summaryLines(summary: FileDescription): string[] {
  const { rig, contents, influences } = summary;
  const other = Object.entries(contents).filter(([, each]) => each > 0);
  const counts = other.map(([kind, each]) => count(each, kind.replace(/s$/, "")));
  const rows: (readonly [string, string])[] = [
    ["format", summary.format],
    ["meshes", `${summary.meshes}`],
    ["vertices", `${summary.vertices} at ${summary.positions} positions`],
    ["triangles", `${summary.triangles} in ${count(summary.pieces, "piece")}`],
    ["joints", `${summary.joints}, ${count(summary.roots, "root")}`],
    ...(rig
      ? [["rig", `${rig.convention}: ${rig.deforming} of ${summary.joints} joints deform`] as const]
      : []),
    ["other", counts.join(", ") || "nothing"],
    ["bind space", `y up, mesh ${boxText(summary.box)}`],
    ["", `joints ${boxText(summary.jointBox)}`],
    ["influences", influences ? histogramText(influences) : "no weights in the file"],
  ];
  return [
    summary.name,
    ...rows.map(([label, value]) => `  ${label.padEnd(12)}${value}`),
    ...summary.oddities.map((oddity) => `  odd: ${oddity}`),
  ];
}

function boxText(box: FileDescription["box"]): string {
  if (!box) return "none";
  const { min, max } = box;
  const sides = max.map((value, axis) => short(value - min[axis])).join(" x ");
  return `${sides}, from (${min.map(short).join(", ")}) to (${max.map(short).join(", ")})`;
}

function short(value: number): string {
  // Rounding errors of the file's matrices.
  return Math.abs(value) < 1e-9 ? "0" : `${Number(value.toPrecision(4))}`;
}

function count(n: number, thing: string): string {
  return `${n} ${thing}${n === 1 ? "" : "s"}`;
}

function treeLines(skeleton: Skeleton): string[] {
  const children = childrenOf(skeleton);
  const lines: string[] = [];
  const open = [...skeleton.parents.keys()]
    .filter((joint) => skeleton.parents[joint] < 0)
    .map((joint) => ({ joint, depth: 1 }))
    .reverse();
  for (let top = open.pop(); top; top = open.pop()) {
    const { joint, depth } = top;
    lines.push(`${"  ".repeat(depth)}${skeleton.names[joint]}`);
    for (const child of children[joint].toReversed()) open.push({ joint: child, depth: depth + 1 });
  }
  return lines;
}
