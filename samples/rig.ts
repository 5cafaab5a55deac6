import type { Vec3 } from "../src/math/vec3.ts";
import type { Skeleton } from "../src/skeleton/skeleton.ts";

/** One joint: its name, its parent's name (empty at a root), its place. */
export type JointRow = [name: string, parent: string, place: Vec3];

/** A skeleton whose joints are found by name. */
export interface Rig {
  skeleton: Skeleton;
  /** The number of a joint. */
  index(name: string): number;
  /** The place of a joint. */
  place(name: string): Vec3;
}

/**
 * A skeleton from a table. A row whose name ends in .L (the character's left, +x, as it looks
 * along +z) makes its mirror image .R as well.
 */
export function rigFrom(rows: JointRow[]): Rig {
  const all = [...rows, ...rows.filter(([name]) => name.endsWith(".L")).map(mirrorRow)];
  const numbers = new Map(all.map(([name], i) => [name, i]));
  const index = (name: string) => {
    const found = numbers.get(name);
    if (found === undefined) throw new Error(`rigFrom: there must be a joint "${name}".`);
    return found;
  };
  return {
    skeleton: {
      names: all.map(([name]) => name),
      parents: Int32Array.from(all, ([, parent]) => (parent === "" ? -1 : index(parent))),
      positions: Float32Array.from(all.flatMap(([, , place]) => place)),
    },
    index,
    place: (name) => all[index(name)][2],
  };
}

function mirrorRow([name, parent, [x, y, z]]: JointRow): JointRow {
  return [otherSide(name), otherSide(parent), [-x, y, z]];
}

/** The name on the other side of the body: .L and .R change places, other names stay. */
export function otherSide(name: string): string {
  if (name.endsWith(".L")) return `${name.slice(0, -1)}R`;
  return name.endsWith(".R") ? `${name.slice(0, -1)}L` : name;
}
