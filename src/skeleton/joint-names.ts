import { jointWords } from "./helper-joints.ts";

/** What the name of a joint says about its part of the body. */
export type NamedPart =
  | "root"
  | "hips"
  | "spine"
  | "neck"
  | "head"
  | "face"
  | "shoulder"
  | "upperArm"
  | "lowerArm"
  | "hand"
  | "arm"
  | "finger"
  | "upperLeg"
  | "lowerLeg"
  | "foot"
  | "toe"
  | "leg"
  | "tail"
  | "wing"
  | "fin"
  | "chain"
  | "helper";

/** The facts that the name of a joint states. */
export interface NameFacts {
  part: NamedPart | undefined;
  /** 1 for left, -1 for right, 0 for neither. */
  side: 1 | -1 | 0;
  /** 1 for front, -1 for hind, 0 for neither. */
  end: 1 | -1 | 0;
  /** Of a finger: 0 for the thumb to 4 for the little finger; -1 if the name does not say. */
  finger: number;
}

/** Prefixes and suffixes that say nothing about the part. */
const NOISE = new Set(
  "mixamorig mixamo rig bip biped valvebiped valve def deform bind bnd jnt joint bone jbip sk skin cc base x stretch b c j m main bend cf bn genesis ph org a".split(
    " ",
  ),
);
const SIDES = new Map<string, 1 | -1>([
  ["l", 1],
  ["left", 1],
  ["lf", 1],
  ["lft", 1],
  ["r", -1],
  ["right", -1],
  ["rt", -1],
  ["rgt", -1],
]);
/** A side and an end in one word, as in `FL_upper`. */
const CORNERS = new Map<string, [side: 1 | -1, end: 1 | -1]>([
  ["fl", [1, 1]],
  ["fr", [-1, 1]],
  ["bl", [1, -1]],
  ["br", [-1, -1]],
  ["hl", [1, -1]],
  ["hr", [-1, -1]],
  ["rl", [1, -1]],
  ["rr", [-1, -1]],
]);
const FRONT = new Set("front fore forward frt".split(" "));
const HIND = new Set("hind back rear".split(" "));

const FINGERS = [
  /thumb/,
  /index|pointer|fore ?finger/,
  /middle|mid/,
  /ring/,
  /pinky|pinkie|pink|little|small/,
];

/** Patterns of parts over the words of a name joined by spaces, in the order in which they are tried. */
const PARTS: [NamedPart, RegExp][] = [
  [
    "helper",
    /\b(twist|roll|ik|pt|fk|pole|target|ctrl|control|end|nub|eff|effector|helper|site|gizmo|corrective|muscle|volume|socket|weapon|prop|attach|item|leaf)\b|foretwist|(up|fore|lower|upper)(arm|leg)twist/,
  ],
  [
    "chain",
    /hair|pony|braid|cape|cloak|skirt|cloth|dress|ribbon|tentacle|antenna|feeler|mane|whisker|scarf|coat|robe|strap|rope|breast|bust|boob|jiggle|pectoral muscle|horn/,
  ],
  ["toe", /\btoes?\b|toe(base|nail)|\bball\b|\bhallux\b/],
  [
    "finger",
    /thumb|pinky|pinkie|\bpink\b|finger|metacarpal|\b(index|ring|little)\b|\bmiddle ?(proximal|intermediate|distal)\b|\b(hand|f) (index|middle|ring|mid)\b|^middle$/,
  ],
  ["foot", /foot|\bfeet|ankle|\bpaw|hoof|talon|tarsal|tarsus|\bheel/],
  [
    "lowerLeg",
    /calf|shin\b|knee|lower ?leg|low ?leg|\bleg ?(lower|down|low|bottom)|tibia|shank|\bcrus|\blower leg/,
  ],
  ["upperLeg", /thigh|up ?leg|upper ?leg|femur|\bleg ?(upper|up|top)/],
  ["lowerArm", /fore ?arm|lower ?arm|low ?arm|elbow|\barm ?(lower|down|low)|\bulna/],
  ["upperArm", /upper ?arm|up ?arm|\barm ?(upper|up|top)|humerus|shldr/],
  ["hand", /hand|wrist|\bpalm\b/],
  ["wing", /wing|feather|pinion/],
  ["spine", /\bshoulders\b/],
  ["shoulder", /clavicle|collar|shoulder|scapula|\bclav\b/],
  ["arm", /\barms?\b|(front|left|right)arm\b/],
  ["leg", /\blegs?\b|(front|back|hind|left|right)leg\b|\blimb\b/],
  ["tail", /tail/],
  ["fin", /\bfins?\b|flipper|dorsal|pectoral|fluke/],
  [
    "face",
    /jaw|chin|mouth|\beye|brow|\blid|lip|tongue|nose|cheek|\bears?\b|teeth|snout|muzzle|beak|face/,
  ],
  ["neck", /neck/],
  ["head", /head|skull|cranium/],
  ["hips", /\bhips?\b|pelvis|\bcog\b/],
  [
    "spine",
    /spine|chest|torso|abdomen|waist|stomach|belly|thorax|rib|(upper|lower) ?body|\bbody\b|\bback\b|trunk|sternum/,
  ],
  ["root", /root|master|world|origin|armature|reference|\bbip\d*$/],
];

/**
 * Reads the part, side and end of the body from the name of a joint, in the conventions of Mixamo, VRM,
 * Unreal, Biped, Rigify, MakeHuman, Daz, Auto-Rig Pro and others that use the same words.
 */
export function readJointName(name: string): NameFacts {
  const facts: NameFacts = { part: undefined, side: 0, end: 0, finger: -1 };
  const words = jointWords(name.replace(/^.*:/, "")).flatMap(splitSide);
  const kept: string[] = [];
  for (const word of words) {
    const corner = CORNERS.get(word);
    if (SIDES.has(word)) facts.side = SIDES.get(word)!;
    else if (corner) [facts.side, facts.end] = corner;
    else if (FRONT.has(word)) facts.end = 1;
    else if (HIND.has(word)) {
      facts.end = -1;
      kept.push(word);
    } else if (!NOISE.has(word)) kept.push(word);
  }
  const text = kept.join(" ");
  facts.part = PARTS.find(([, pattern]) => pattern.test(text))?.[0];
  // "FrontUpper": the leg is implied.
  if (facts.end !== 0 && /^(hind |back |rear )?(upper|lower)$/.test(text)) {
    facts.part = text.endsWith("upper") ? "upperLeg" : "lowerLeg";
  }
  // "Hips" is the middle, a hip with a side is the top of a leg.
  if (facts.part === "hips" && facts.side !== 0) facts.part = "upperLeg";
  if (facts.part === "finger") facts.finger = fingerOf(text, name);
  if (/^bip\d*$/i.test(name.replace(/[^A-Za-z0-9]/g, ""))) facts.part = "root";
  return facts;
}

/** Separates a side from a word that contains it: `leftarm`, `armright`. */
function splitSide(word: string): string[] {
  const match = /^(left|right|front|hind)(.+)$|^(.+)(left|right)$/.exec(word);
  if (!match) return [word];
  return match[1] ? [match[1], match[2]] : [match[3], match[4]];
}

function fingerOf(text: string, name: string): number {
  const named = FINGERS.findIndex((pattern) => pattern.test(text));
  if (named >= 0) return named;
  // Biped counts the fingers from the thumb: Finger0, Finger01, Finger1, Finger11.
  const digits = /finger[ _.-]?(\d)/i.exec(name)?.[1];
  return digits === undefined ? -1 : Number(digits);
}
