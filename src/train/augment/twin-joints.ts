import { normal, type Random } from "../../math/random.ts";
import { type LooseJoint, looseJoints, pick, type Weighted, withJoints } from "./weighted.ts";

/** Words a control rig puts before the joints that deform, and before those that do not. */
const DEFORMING = ["DEF-", "DEF_", "def_", "Bind_", "DEF.", "skin_", "", ""];
const MECHANISM = ["ORG-", "MCH-", "TGT.", "CTRL-", "FK_", "IK_", "c_", "drv_"];

/** More joints than this slow a step down and teach no more. */
const MOST_JOINTS = 200;

/**
 * The character under a control rig: a second set of joints at the same places, which moves nothing.
 *
 * The twins form a chain of their own; the joints that deform either keep theirs beside it, or hang
 * one by one on their twins, as in rigs made for animation. Names tell the two sets apart, or do not.
 * Mesh and weights stay.
 */
export function twinJoints(character: Weighted, random: Random): Weighted {
  const joints = looseJoints(character);
  const count = joints.length;
  if (count * 2 > MOST_JOINTS) return character;
  const [telling, nested, whole] = [random() < 0.6, random() < 0.5, random() < 0.5];
  const [deforming, mechanism] = [pick(DEFORMING, random), pick(MECHANISM, random)];
  const spread = random() < 0.5 ? 0 : 0.004;
  const twinned = joints.map(() => whole || random() < 0.6);
  /** Place of each joint's twin; the joint itself where it has none. */
  const twin = joints.map((_, joint) => joint);
  let next = count;
  twinned.forEach((has, joint) => {
    if (has) twin[joint] = next++;
  });
  const twins = joints.flatMap((joint, index): LooseJoint[] => {
    if (!twinned[index]) return [];
    const position = joint.position.map((value) => value + spread * normal(random));
    return [
      {
        name: telling ? mechanism + joint.name : otherName(joint.name, random),
        parent: joint.parent < 0 ? -1 : twin[joint.parent],
        position: position as LooseJoint["position"],
      },
    ];
  });
  const own = joints.map((joint, index) => ({
    ...joint,
    name: telling ? deforming + joint.name : joint.name,
    parent: nested && twinned[index] ? twin[index] : joint.parent,
  }));
  return withJoints(character, [...own, ...twins]);
}

function otherName(name: string, random: Random): string {
  return random() < 0.5 ? "" : `${name}.001`;
}
