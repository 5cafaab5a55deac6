import type { Vec3 } from "../src/math/vec3.ts";
import type { Skeleton } from "../src/skeleton/skeleton.ts";

/** A joint: its name, its parent's name (empty for a root), its position. */
export type JointRow = [name: string, parent: string, place: Vec3];

/** A skeleton whose joints can be looked up by name. */
export interface Rig {
  skeleton: Skeleton;
  /** The index of a joint. */
  index(name: string): number;
  /** The position of a joint. */
  place(name: string): Vec3;
}

/**
 * Builds a skeleton from a table. A row whose name ends in .L (the character's left, +x, as it faces +z) also
 * creates its mirror image .R.
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

/** The name on the other side of the body: .L and .R are swapped, other names stay. */
export function otherSide(name: string): string {
  if (name.endsWith(".L")) return `${name.slice(0, -1)}R`;
  return name.endsWith(".R") ? `${name.slice(0, -1)}L` : name;
}
