import { identityMat4, product } from "../../math/mat4.ts";
import { badExport, damaged } from "../losses.ts";
import type { SceneSkin } from "../scene/scene.ts";
import { childOf } from "../scene/values.ts";
import {
  type DaeDocument,
  fromRows,
  inputsOf,
  numbersIn,
  readNames,
  readSource,
} from "./dae-document.ts";
import { type XmlElement, xmlNumbers } from "./xml.ts";

/** The joints of a skin. */
export interface DaeSkinJoints {
  names: string[];
  /** Whether names are ids rather than sids. */
  areIds: boolean;
  /** The scene node of each name. */
  nodes: number[];
}

/**
 * Finds the joints of a skin.
 *
 * @param findJoint returns the node of a joint by sid or id
 */
export function readSkinJoints(
  document: DaeDocument,
  skin: XmlElement,
  findJoint: (name: string, isId: boolean) => number | undefined,
): DaeSkinJoints {
  const source = inputsOf(childOf(skin, "joints")).get("JOINT")?.source;
  const { names, areIds } = readNames(document, source);
  // Once per name: a damaged file may repeat one thousands of times.
  const found = new Map<string, number>();
  const nodes = names.map((name) => {
    const node = found.get(name) ?? findJoint(name, areIds);
    if (node === undefined) {
      const problem = `a skin uses joint "${name}", which is not a node of the scene`;
      throw badExport(document.file, problem);
    }
    found.set(name, node);
    return node;
  });
  if (nodes.length === 0) throw badExport(document.file, "a skin names no joints");
  return { names, areIds, nodes };
}

/** Reads the skin of a COLLADA controller with these joints. */
export function readDaeSkin(
  document: DaeDocument,
  skin: XmlElement,
  pointCount: number,
  { nodes: joints }: DaeSkinJoints,
): SceneSkin {
  const bindShape = bindShapeOf(skin);
  return withoutRepeats({
    joints,
    inverseBinds: inverseBindsOf(document, skin, joints.length).map((m) => product(m, bindShape)),
    influences: readInfluences(document, skin, pointCount, joints.length),
  });
}

/** Matrix from the mesh's points to the space of its inverse bind matrices. */
export function bindShapeOf(skin: XmlElement): number[] {
  const shape = xmlNumbers(childOf(skin, "bind_shape_matrix"));
  return shape.length === 16 && shape.every(Number.isFinite) ? fromRows(shape) : identityMat4();
}

/** Returns the inverse bind matrices of a skin; the identity where one is missing. */
export function inverseBindsOf(document: DaeDocument, skin: XmlElement, count: number): number[][] {
  const source = inputsOf(childOf(skin, "joints")).get("INV_BIND_MATRIX")?.source;
  const { values } = readSource(document, source);
  return Array.from({ length: count }, (_, joint) => {
    const rows = Array.from({ length: 16 }, (_, i) => values[joint * 16 + i]);
    return rows.every(Number.isFinite) ? fromRows(rows) : identityMat4();
  });
}

function readInfluences(
  document: DaeDocument,
  skin: XmlElement,
  pointCount: number,
  jointCount: number,
): [number, number][][] {
  const element = childOf(skin, "vertex_weights");
  const inputs = inputsOf(element);
  const weights = readSource(document, inputs.get("WEIGHT")?.source).values;
  const [jointAt, weightAt] = [inputs.get("JOINT")?.offset ?? 0, inputs.get("WEIGHT")?.offset ?? 1];
  const width = Math.max(jointAt, weightAt) + 1;
  const counts = numbersIn(document, childOf(element, "vcount"));
  const pairs = numbersIn(document, childOf(element, "v"));
  let at = 0;
  return Array.from({ length: pointCount }, (_, point) => {
    const row: [number, number][] = [];
    // A count may exceed the number of pairs that are left.
    const count = Math.min(counts[point] ?? 0, Math.ceil((pairs.length - at) / width));
    for (let i = 0; i < count; i++, at += width) {
      const joint = pairs[at + jointAt];
      const weight = weights[pairs[at + weightAt]];
      // Joint -1 is the bind shape itself, which has no glTF joint.
      if (!(weight > 0) || joint === -1) continue;
      if (!(joint >= 0 && joint < jointCount)) {
        throw damaged(
          document.file,
          `vertex ${point} is weighted to joint ${joint}, but its skin has ${jointCount}`,
        );
      }
      row.push([joint, weight]);
    }
    return row;
  });
}

/** A glTF skin must not list a node twice: later entries are merged into the first. */
function withoutRepeats(skin: SceneSkin): SceneSkin {
  const first = new Map<number, number>();
  const kept: number[] = [];
  const indexOf = skin.joints.map((node, joint) => {
    const known = first.get(node);
    if (known !== undefined) return known;
    first.set(node, kept.length);
    return kept.push(joint) - 1;
  });
  if (kept.length === skin.joints.length) return skin;
  return {
    joints: kept.map((joint) => skin.joints[joint]),
    inverseBinds: kept.map((joint) => skin.inverseBinds[joint]),
    influences: skin.influences.map((row) =>
      row.map(([joint, weight]) => [indexOf[joint], weight]),
    ),
  };
}
