import { InputError } from "../../input-error.ts";
import { identityMat4, multiplyMat4 } from "../../math/mat4.ts";
import type { SceneSkin } from "../scene.ts";
import { type DaeDocument, inputsOf, readNames, readSource } from "./dae-document.ts";
import { fromRows } from "./dae-transform.ts";
import { type XmlElement, xmlChild, xmlNumbers } from "./parse-xml.ts";

/**
 * Reads the skin of a COLLADA controller.
 *
 * @param findJoint the node behind a joint's name (a sid) or id
 */
export function readDaeSkin(
  document: DaeDocument,
  skin: XmlElement,
  pointCount: number,
  findJoint: (name: string, isId: boolean) => number | undefined,
): SceneSkin {
  const jointInputs = inputsOf(xmlChild(skin, "joints"));
  const { names, areIds } = readNames(document, jointInputs.get("JOINT")?.source);
  const joints = names.map((name) => {
    const node = findJoint(name, areIds);
    if (node !== undefined) return node;
    throw new InputError(
      `${document.file}: a skin uses joint "${name}", which no node of the scene is; export the file again.`,
    );
  });
  if (joints.length === 0) {
    throw new InputError(`${document.file}: a skin names no joints; export the file again.`);
  }
  const shape = xmlNumbers(xmlChild(skin, "bind_shape_matrix"));
  const bindShape = shape.length === 16 ? fromRows(shape) : identityMat4();
  const inverses = readSource(document, jointInputs.get("INV_BIND_MATRIX")?.source).values;
  const inverseBinds = joints.map((_, joint) => {
    const rows = Array.from({ length: 16 }, (_, i) => inverses[joint * 16 + i]);
    const own = rows.every(Number.isFinite) ? fromRows(rows) : identityMat4();
    return multiplyMat4(own, own, bindShape);
  });
  return withoutRepeats({
    joints,
    inverseBinds,
    influences: readInfluences(document, skin, pointCount, joints.length),
  });
}

function readInfluences(
  document: DaeDocument,
  skin: XmlElement,
  pointCount: number,
  jointCount: number,
): [number, number][][] {
  const element = xmlChild(skin, "vertex_weights");
  const inputs = inputsOf(element);
  const weights = readSource(document, inputs.get("WEIGHT")?.source).values;
  const [jointAt, weightAt] = [inputs.get("JOINT")?.offset ?? 0, inputs.get("WEIGHT")?.offset ?? 1];
  const width = Math.max(jointAt, weightAt) + 1;
  const counts = xmlNumbers(xmlChild(element, "vcount"));
  const pairs = xmlNumbers(xmlChild(element, "v"));
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
        throw new InputError(
          `${document.file}: vertex ${point} is weighted to joint ${joint}, but its skin has ${jointCount}; the file is damaged.`,
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
