import { readCharacterFile } from "../../disk/character-files.ts";
import { describeFile, type FileDescription } from "../../formats/describe-file.ts";
import { childrenOf, type Skeleton } from "../../skeleton/skeleton.ts";
import { namedOptions } from "../bind-options.ts";
import { type Command, flag, text } from "../command.ts";
import { histogramText } from "../report-text.ts";

/** `heterskin inspect`: what is in a file, and what is odd about it. */
export const inspect: Command = {
  name: "inspect",
  summary: "Show what is in a character's file, and what is odd about it.",
  usage: "inspect <in> [--skeleton file] [--json]",
  positionals: [1, 1],
  options: {
    json: flag("Print JSON."),
    skeleton: text("file", "Use the skeleton of another file."),
    ...namedOptions(["maxMemory"]),
  },
  examples: [
    ["heterskin inspect fox.glb", "Meshes, joints, influences, bind space."],
    ["heterskin inspect fox.glb --verbose", "The same with the tree of joints."],
    ["heterskin inspect fox.glb --json | jq .joints", "One figure for a script."],
  ],
  async run(args, { print, output, detail }) {
    const file = await readCharacterFile(args.positionals[0], {
      needsJoints: false,
      skeleton: args.text("skeleton"),
      maxMemory: args.needNumber("max-memory"),
    });
    const summary = describeFile(file);
    if (args.flag("json")) {
      output(JSON.stringify(summary, null, 2));
      return;
    }
    for (const line of summaryLines(summary)) print(line);
    for (const line of treeLines(file.character.skeleton)) detail(line);
  },
};

function summaryLines(summary: FileDescription): string[] {
  const rows: [string, string][] = [
    ["format", summary.format],
    ["meshes", `${summary.meshes}`],
    ["vertices", `${summary.vertices} at ${summary.places} places`],
    ["triangles", `${summary.triangles} in ${count(summary.pieces, "piece")}`],
    ["joints", `${summary.joints}, ${count(summary.roots, "root")}`],
    ...rigRow(summary),
    ["besides", besidesText(summary)],
    ["bind space", `y up, mesh ${boxText(summary.box)}`],
    ["", `joints ${boxText(summary.jointBox)}`],
  ];
  const { influences } = summary;
  rows.push(["influences", influences ? histogramText(influences) : "no weights in the file"]);
  return [
    summary.name,
    ...rows.map(([label, value]) => `  ${label.padEnd(12)}${value}`),
    ...summary.oddities.map((oddity) => `  odd: ${oddity}`),
  ];
}

/** What there is besides mesh and skeleton: "2 materials, 1 animation". */
function besidesText({ besides }: FileDescription): string {
  const kinds = Object.entries(besides).filter(([, each]) => each > 0);
  return kinds.map(([kind, each]) => count(each, kind.replace(/s$/, ""))).join(", ") || "nothing";
}

/** A control rig by its convention, and how many of its joints move the skin. */
function rigRow({ rig, joints }: FileDescription): [string, string][] {
  return rig ? [["rig", `${rig.convention}: ${rig.deforming} of ${joints} joints deform`]] : [];
}

function boxText(box: FileDescription["box"]): string {
  if (!box) return "none";
  const { min, max } = box;
  const sides = max.map((value, axis) => short(value - min[axis])).join(" x ");
  return `${sides}, from (${min.map(short).join(", ")}) to (${max.map(short).join(", ")})`;
}

function short(value: number): string {
  // Rounding of the file's matrices leaves such crumbs.
  return Math.abs(value) < 1e-9 ? "0" : `${Number(value.toPrecision(4))}`;
}

function count(n: number, thing: string): string {
  return `${n} ${thing}${n === 1 ? "" : "s"}`;
}

/** The joints as a tree, a line each. */
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
