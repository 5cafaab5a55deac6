import { hashText } from "../math/random.ts";
import { jointWords } from "../skeleton/joint-words.ts";

/**
 * What a joint's name says about its role, as keyword classes.
 *
 * Artists name their joints, and some roles cannot be seen in the geometry: an IK target or a weapon
 * slot lies near the body but moves no vertex (of the training joints named "pole" or "target", 99 %
 * carry no weight). Names are hints: training hides them at random, so unnamed skeletons work too.
 */
const CLASSES: Record<string, string[]> = {
  control: "pole target ik ctrl control controller pt special handle helper goal aim".split(" "),
  slot: "slot handslot attach socket prop weapon shield sheath quiver ammo projectile bow sword holster mount helmet".split(
    " ",
  ),
  end: "end nub tip leaf site effector eff".split(" "),
  root: "root armature master origin world base rig global".split(" "),
  twist: "twist roll share".split(" "),
  head: "head skull".split(" "),
  neck: "neck".split(" "),
  face: "jaw eye eyes brow lip mouth tongue cheek nose lid eyelid ear ears tooth teeth oris oculi levator temporalis risorius".split(
    " ",
  ),
  spine: "spine chest torso abdomen stomach belly back body breast rib ribs bust".split(" "),
  hips: "hips hip pelvis waist".split(" "),
  shoulder: "shoulder clavicle collar".split(" "),
  arm: "arm upperarm forearm lowerarm elbow bicep humerus".split(" "),
  hand: "hand wrist palm fist".split(" "),
  finger:
    "finger fingers thumb index middle ring pinky little metacarpal proximal intermediate distal claw".split(
      " ",
    ),
  leg: "leg upperleg lowerleg thigh calf shin knee femur upleg".split(" "),
  foot: "foot ankle toe toes heel paw hoof ball".split(" "),
  tail: "tail".split(" "),
  wing: "wing feather fin".split(" "),
  hair: "hair braid ponytail bang bangs mane".split(" "),
  cloth: "skirt dress cape cloak coat cloth robe scarf belt sleeve hood rope rein sail".split(" "),
};

/** Names of the classes, in the order of the columns. */
export const JOINT_NAME_CLASSES: string[] = Object.keys(CLASSES);

const columnOf = new Map<string, number>(
  JOINT_NAME_CLASSES.flatMap((name, column) =>
    CLASSES[name].map((word): [string, number] => [word, column]),
  ),
);

/**
 * Marks the classes whose keywords occur in a joint's name.
 *
 * @returns one 0 or 1 per class of {@link JOINT_NAME_CLASSES}
 */
export function jointNameFeatures(name: string): Float32Array {
  const features = new Float32Array(JOINT_NAME_CLASSES.length);
  for (const word of jointWords(name)) {
    const column = columnOf.get(word);
    if (column !== undefined) features[column] = 1;
  }
  return features;
}

/** Columns for the pieces of names; two pieces in one column hardly matter, names have many. */
export const NAME_PIECES = 64;

/**
 * A name as a bag of pieces: its words, and every three letters in a row, each counted up or down in one of
 * {@link NAME_PIECES} columns chosen by a hash. A network's first layer learns what the pieces mean, in any
 * language and convention; the classes above say it for the common words.
 *
 * @returns about unit length; zeros for a name without letters
 */
export function namePieces(name: string): Float32Array {
  const out = new Float32Array(NAME_PIECES);
  const plain = name.toLowerCase().replace(/[0-9]+/g, "0");
  const words = jointWords(name).map((word) => `<${word}>`);
  const framed = `^${plain}$`;
  const triples = Array.from({ length: Math.max(0, framed.length - 2) }, (_, i) =>
    framed.slice(i, i + 3),
  );
  const pieces = /\p{L}/u.test(name) ? [...words, ...words, ...triples] : [];
  for (const piece of pieces) {
    const hash = hashText(piece);
    out[hash % NAME_PIECES] += (hash >>> 20) % 2 === 0 ? 1 : -1;
  }
  const length = Math.hypot(...out);
  return length > 0 ? out.map((value) => value / length) : out;
}
