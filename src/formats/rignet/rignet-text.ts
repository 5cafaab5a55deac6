import { MAX_JOINTS } from "../../character/character.ts";
import { InputError } from "../../input-error.ts";
import { jointCount, type Skeleton } from "../../skeleton/skeleton.ts";
import { readRow, rowCount, type SkinWeights } from "../../weights/skin-weights.ts";
import { type Budget, createBudget, spend } from "../budget.ts";
import { floatText } from "../scene/values.ts";
import { createRowBuilder } from "../weight-files/weight-file.ts";

/** A skeleton, and weights if the file has any, in RigNet's text format. */
export interface RigNetRig {
  skeleton: Skeleton;
  weights?: SkinWeights;
}

/**
 * Reads RigNet's text format, one statement a line: `joints name x y z`, `root name`,
 * `hier parent child`, `skin vertex joint weight joint weight ...`.
 *
 * Format: Xu et al., RigNet: Neural Rigging for Articulated Characters, 2020 (its published code).
 */
export function parseRigNetText(
  file: string,
  text: string,
  budget: Budget = createBudget(file),
): RigNetRig {
  const names: string[] = [];
  const positions: number[] = [];
  const indexOf = new Map<string, number>();
  const links: [number, string, string][] = [];
  const skins: [number, string[]][] = [];
  text.split(/\r?\n/).forEach((line, at) => {
    const words = line.trim().split(/\s+/);
    if (words[0] === "joints") {
      const point = words.slice(2, 5).map(Number);
      if (point.length < 3 || !point.every(Number.isFinite))
        throw bad(file, at, "a joint needs a name and three numbers");
      if (indexOf.has(words[1])) throw bad(file, at, `joint "${words[1]}" appears twice`);
      indexOf.set(words[1], names.push(words[1]) - 1);
      positions.push(...point);
    } else if (words[0] === "hier") links.push([at, words[1], words[2]]);
    else if (words[0] === "skin") skins.push([at, words.slice(1)]);
  });
  if (names.length === 0)
    throw new InputError(`${file}: no line begins with "joints"; this is not a RigNet rig.`);
  if (names.length > MAX_JOINTS)
    throw new InputError(
      `${file}: more than ${MAX_JOINTS} joints (${names.length}); remove joints.`,
    );
  spend(budget, names.length, "joints");
  const parents = new Int32Array(names.length).fill(-1);
  const find = (at: number, name: string) => {
    const joint = indexOf.get(name);
    if (joint === undefined) throw bad(file, at, `there is no joint "${name}"`);
    return joint;
  };
  const lineOf = new Int32Array(names.length);
  for (const [at, parent, child] of links) {
    const joint = find(at, child);
    if (parents[joint] >= 0) throw bad(file, at, `joint "${child}" has two parents`);
    parents[joint] = find(at, parent);
    lineOf[joint] = at;
  }
  const looped = jointInLoop(parents);
  if (looped !== undefined)
    throw bad(file, lineOf[looped], `joint "${names[looped]}" is its own ancestor`);
  const skeleton = { names, parents, positions: Float32Array.from(positions) };
  if (skins.length === 0) return { skeleton };
  return { skeleton, weights: readSkins(budget, skins, find) };
}

/** Writes a rig in RigNet's text format; blanks in names become underscores, duplicates are numbered. */
export function formatRigNetText({ skeleton, weights }: RigNetRig): string {
  const names = plainNames(skeleton);
  const lines: string[] = [];
  for (let j = 0; j < jointCount(skeleton); j++) {
    const point = Array.from(skeleton.positions.subarray(j * 3, j * 3 + 3), floatText);
    lines.push(`joints ${names[j]} ${point.join(" ")}`);
  }
  skeleton.parents.forEach((parent, joint) => {
    if (parent < 0) lines.push(`root ${names[joint]}`);
  });
  for (let vertex = 0; weights && vertex < rowCount(weights); vertex++) {
    const { joints, values } = readRow(weights, vertex);
    const row = joints.map((joint, i) => `${names[joint]} ${floatText(values[i])}`);
    lines.push(`skin ${vertex} ${row.join(" ")}`.trimEnd());
  }
  skeleton.parents.forEach((parent, joint) => {
    if (parent >= 0) lines.push(`hier ${names[parent]} ${names[joint]}`);
  });
  return `${lines.join("\n")}\n`;
}

function readSkins(
  budget: Budget,
  skins: [number, string[]][],
  find: (at: number, name: string) => number,
): SkinWeights {
  const file = budget.name;
  const seen = new Uint8Array(skins.length);
  const rows = createRowBuilder(budget);
  for (const [at, [first, ...pairs]] of skins) {
    if (pairs.length % 2 > 0) throw bad(file, at, "skin lines need a weight for each joint");
    const vertex = Number(first);
    if (!(Number.isInteger(vertex) && vertex >= 0 && vertex < skins.length) || seen[vertex]) {
      throw bad(file, at, `vertices of skin lines must be 0 to ${skins.length - 1}, each once`);
    }
    seen[vertex] = 1;
    for (let i = 0; i + 1 < pairs.length; i += 2) {
      const weight = Number(pairs[i + 1]);
      if (!Number.isFinite(weight)) throw bad(file, at, `"${pairs[i + 1]}" is not a weight`);
      rows.add(vertex, find(at, pairs[i]), weight);
    }
  }
  return rows.build(skins.length);
}

/** Returns a joint that is its own ancestor; time is linear. */
function jointInLoop(parents: Int32Array): number | undefined {
  const walkOf = new Int32Array(parents.length).fill(-1);
  for (let joint = 0; joint < parents.length; joint++) {
    let at = joint;
    while (at >= 0 && walkOf[at] < 0) {
      walkOf[at] = joint;
      at = parents[at];
    }
    if (at >= 0 && walkOf[at] === joint) return at;
  }
  return undefined;
}

function plainNames({ names }: Skeleton): string[] {
  const used = new Set<string>();
  return names.map((name, joint) => {
    const plain = name.trim().replace(/\s+/g, "_") || `joint_${joint}`;
    let unique = plain;
    for (let n = 1; used.has(unique); n++) unique = `${plain}_${n}`;
    used.add(unique);
    return unique;
  });
}

function bad(file: string, at: number, problem: string): InputError {
  return new InputError(`${file}, line ${at + 1}: ${problem}.`);
}
