import { MAX_JOINTS } from "../../character/check-character.ts";
import { InputError } from "../../input-error.ts";
import { jointCount, type Skeleton } from "../../skeleton/skeleton.ts";
import {
  readRow,
  rowCount,
  type SkinWeights,
  weightsFromSlots,
} from "../../weights/skin-weights.ts";
import { floatText } from "../scene/values.ts";

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
export function parseRigNetText(file: string, text: string): RigNetRig {
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
  const parents = new Int32Array(names.length).fill(-1);
  const find = (at: number, name: string) => {
    const joint = indexOf.get(name);
    if (joint === undefined) throw bad(file, at, `there is no joint "${name}"`);
    return joint;
  };
  for (const [at, parent, child] of links) {
    const joint = find(at, child);
    if (parents[joint] >= 0) throw bad(file, at, `joint "${child}" has two parents`);
    parents[joint] = find(at, parent);
    if (leadsTo(parents, parents[joint], joint))
      throw bad(file, at, `joint "${child}" is its own ancestor`);
  }
  const skeleton = { names, parents, positions: Float32Array.from(positions) };
  if (skins.length === 0) return { skeleton };
  return { skeleton, weights: readSkins(file, skins, find) };
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
  file: string,
  skins: [number, string[]][],
  find: (at: number, name: string) => number,
): SkinWeights {
  const slots = skins.reduce((max, [, words]) => Math.max(max, (words.length - 1) / 2), 1);
  if (!Number.isInteger(slots))
    throw bad(file, skins[0][0], "skin lines need a weight for each joint");
  const joints = new Int32Array(skins.length * slots).fill(-1);
  const values = new Float32Array(skins.length * slots);
  const seen = new Uint8Array(skins.length);
  for (const [at, [first, ...pairs]] of skins) {
    const vertex = Number(first);
    if (!(Number.isInteger(vertex) && vertex >= 0 && vertex < skins.length) || seen[vertex]) {
      throw bad(file, at, `vertices of skin lines must be 0 to ${skins.length - 1}, each once`);
    }
    seen[vertex] = 1;
    for (let i = 0; i + 1 < pairs.length; i += 2) {
      const weight = Number(pairs[i + 1]);
      if (!Number.isFinite(weight)) throw bad(file, at, `"${pairs[i + 1]}" is not a weight`);
      joints[vertex * slots + i / 2] = find(at, pairs[i]);
      values[vertex * slots + i / 2] = weight;
    }
  }
  return weightsFromSlots(joints, values, slots);
}

function leadsTo(parents: Int32Array, from: number, to: number): boolean {
  for (let at = from; at >= 0; at = parents[at]) if (at === to) return true;
  return false;
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
