import { identityMat4, product } from "../../math/mat4.ts";
import { badExport, damaged } from "../losses.ts";
import type { SceneSkin } from "../scene/scene.ts";
import { childOf } from "../scene/values.ts";
import { type DaeDocument, fromRows, inputsOf, readNames, readSource } from "./dae-document.ts";
import { type XmlElement, xmlNumbers } from "./xml.ts";

/** The joints a skin names. */
export interface DaeSkinJoints {
  names: string[];
  /** Whether names are ids, not sids. */
  areIds: boolean;
  /** The node of the scene behind each name. */
  nodes: number[];
}

/**
 * Finds the joints of a skin.
 *
 * @param findJoint the node behind a joint's name (a sid) or id
 */
export function readSkinJoints(
  document: DaeDocument,
  skin: XmlElement,
  findJoint: (name: string, isId: boolean) => number | undefined,
): DaeSkinJoints {
  const source = inputsOf(childOf(skin, "joints")).get("JOINT")?.source;
  const { names, areIds } = readNames(document, source);
  const nodes = names.map((name) => {
    const node = findJoint(name, areIds);
    if (node !== undefined) return node;
    throw badExport(document.file, `a skin uses joint "${name}", which no node of the scene is`);
  });
  if (nodes.length === 0) throw badExport(document.file, "a skin names no joints");
  return { names, areIds, nodes };
}

/** Reads the skin of a COLLADA controller over these joints. */
export function readDaeSkin(
  document: DaeDocument,
  skin: XmlElement,
  pointCount: number,
  { nodes: joints }: DaeSkinJoints,
): SceneSkin {
  const bindShape = bindShapeOf(skin);
  const matrices = inverseBindsOf(document, skin, joints.length);
  const inverseBinds = matrices.map((m) => product(m, bindShape));
  return withoutRepeats({
    joints,
    inverseBinds,
    influences: readInfluences(document, skin, pointCount, joints.length),
  });
}

/** From the mesh's points to the space its inverse bind matrices begin in. */
export function bindShapeOf(skin: XmlElement): number[] {
  const shape = xmlNumbers(childOf(skin, "bind_shape_matrix"));
  return shape.length === 16 && shape.every(Number.isFinite) ? fromRows(shape) : identityMat4();
}

/** The inverse bind matrices of a skin; the identity where it has none. */
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
  const counts = xmlNumbers(childOf(element, "vcount"));
  const pairs = xmlNumbers(childOf(element, "v"));
  let at = 0;
  return Array.from({ length: pointCount }, (_, point) => {
    const row: [number, number][] = [];
    // A count may claim more pairs than there are.
    const count = Math.min(counts[point] ?? 0, pairs.length);
    for (let i = 0; i < count; i++, at += width) {
      const joint = pairs[at + jointAt];
      const weight = weights[pairs[at + weightAt]];
      // Joint -1 stands for the bind shape itself, which no glTF joint can be.
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

/** A glTF skin must not name a node twice; the later name becomes the first. */
function withoutRepeats(skin: SceneSkin): SceneSkin {
  const first = new Map<number, number>();
  const kept: number[] = [];
  const place = skin.joints.map((node, joint) => {
    const known = first.get(node);
    if (known !== undefined) return known;
    first.set(node, kept.length);
    return kept.push(joint) - 1;
  });
  if (kept.length === skin.joints.length) return skin;
  return {
    joints: kept.map((joint) => skin.joints[joint]),
    inverseBinds: kept.map((joint) => skin.inverseBinds[joint]),
    influences: skin.influences.map((row) => row.map(([joint, weight]) => [place[joint], weight])),
  };
}
