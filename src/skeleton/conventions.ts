import { InputError } from "../input-error.ts";
import { type Role, type SkeletonRoles, skeletonRoles } from "./roles.ts";
import type { Skeleton } from "./skeleton.ts";

/** The naming conventions that a biped can be written in. */
export const CONVENTIONS = ["own", "mixamo", "vrm", "unreal", "unity", "rigify"] as const;

/** The name of a naming convention. */
export type Convention = (typeof CONVENTIONS)[number];

const FINGERS = ["Thumb", "Index", "Middle", "Ring", "Little"];
const pad = (value: number) => `${value}`.padStart(2, "0");

/** Bones of the VRM 1.0 humanoid that must exist. */
export const REQUIRED_BONES: readonly string[] = [
  "hips",
  "spine",
  "head",
  ...["UpperLeg", "LowerLeg", "Foot", "UpperArm", "LowerArm", "Hand"].flatMap((part) => [
    `left${part}`,
    `right${part}`,
  ]),
];

const SPINE: Record<number, string[]> = {
  1: ["spine"],
  2: ["spine", "chest"],
  3: ["spine", "chest", "upperChest"],
};
/** VRM and Unity name the joints of the thumb from the wrist. */
const THUMB = ["Metacarpal", "Proximal", "Distal"];
const SEGMENTS = ["Proximal", "Intermediate", "Distal"];

/** Returns the bone of the VRM 1.0 humanoid that a role is; undefined if there is none. */
export function humanBone(role: Role | undefined): string | undefined {
  if (!role || role.limb > (role.part === "finger" ? 4 : 0)) return undefined;
  const { part, side, index, count } = role;
  const sided = (name: string) => `${side > 0 ? "left" : "right"}${name}`;
  if (part === "hips" || part === "neck" || part === "head") return index === 0 ? part : undefined;
  if (part === "spine") return spineBone(index, count);
  if (side === 0) return undefined;
  if (part === "finger") {
    const names = role.limb === 0 ? THUMB : SEGMENTS;
    return index < 3 ? sided(`${FINGERS[role.limb]}${names[index]}`) : undefined;
  }
  if (index > 0) return undefined;
  const names: Partial<Record<Role["part"], string>> = {
    shoulder: "Shoulder",
    upperArm: "UpperArm",
    lowerArm: "LowerArm",
    hand: "Hand",
    upperLeg: "UpperLeg",
    lowerLeg: "LowerLeg",
    foot: "Foot",
    toe: "Toes",
  };
  const name = names[part];
  return name && sided(name);
}

/** Of more than three spine joints, the first, the middle one and the last are bones. */
function spineBone(index: number, count: number): string | undefined {
  if (count <= 3) return SPINE[count][index];
  if (index === 0) return "spine";
  if (index === count - 1) return "upperChest";
  return index === count >> 1 ? "chest" : undefined;
}

/** Returns the humanoid bones of a skeleton: the joint of each bone. */
export function humanBones({ roles }: SkeletonRoles): Map<string, number> {
  const bones = new Map<string, number>();
  roles.forEach((role, joint) => {
    const bone = humanBone(role);
    if (bone && !bones.has(bone)) bones.set(bone, joint);
  });
  return bones;
}

type Namer = (role: Role, spines: number) => string | undefined;

const LIMBS = {
  mixamo: {
    shoulder: "Shoulder",
    upperArm: "Arm",
    lowerArm: "ForeArm",
    hand: "Hand",
    upperLeg: "UpLeg",
    lowerLeg: "Leg",
    foot: "Foot",
    toe: "ToeBase",
  },
  unreal: {
    shoulder: "clavicle",
    upperArm: "upperarm",
    lowerArm: "lowerarm",
    hand: "hand",
    upperLeg: "thigh",
    lowerLeg: "calf",
    foot: "foot",
    toe: "ball",
  },
  rigify: {
    shoulder: "shoulder",
    upperArm: "upper_arm",
    lowerArm: "forearm",
    hand: "hand",
    upperLeg: "thigh",
    lowerLeg: "shin",
    foot: "foot",
    toe: "toe",
  },
} as Record<string, Partial<Record<Role["part"], string>>>;

const NAMERS: Record<Exclude<Convention, "own">, Namer> = {
  mixamo: (role) => {
    const { part, side, index, limb } = role;
    const prefix = `mixamorig:${side > 0 ? "Left" : side < 0 ? "Right" : ""}`;
    if (part === "hips") return `${prefix}Hips`;
    if (part === "spine") return `${prefix}Spine${index || ""}`;
    if (part === "neck") return `${prefix}Neck${index || ""}`;
    if (part === "head") return `${prefix}Head`;
    const finger = limb === 4 ? "Pinky" : FINGERS[limb];
    if (part === "finger") return `${prefix}Hand${finger}${index + 1}`;
    return LIMBS.mixamo[part] && `${prefix}${LIMBS.mixamo[part]}`;
  },
  vrm: (role) => humanBone(role),
  unity: (role) => {
    const bone = humanBone(role);
    return bone && bone[0].toUpperCase() + bone.slice(1);
  },
  unreal: (role) => {
    const { part, side, index, limb } = role;
    const suffix = side > 0 ? "_l" : side < 0 ? "_r" : "";
    if (part === "hips") return "pelvis";
    if (part === "spine" || part === "neck") return `${part}_${pad(index + 1)}`;
    if (part === "head") return "head";
    const finger = limb === 4 ? "pinky" : FINGERS[limb]?.toLowerCase();
    if (part === "finger") return `${finger}_${pad(index + 1)}${suffix}`;
    return LIMBS.unreal[part] && `${LIMBS.unreal[part]}${suffix}`;
  },
  rigify: (role, spines) => {
    const { part, side, index, limb } = role;
    const suffix = side > 0 ? ".L" : side < 0 ? ".R" : "";
    const numbered = (number: number) =>
      `DEF-spine${number ? `.${`${number}`.padStart(3, "0")}` : ""}`;
    if (part === "hips") return numbered(0);
    if (part === "spine") return numbered(index + 1);
    if (part === "neck") return numbered(spines + 1 + index);
    if (part === "head") return numbered(spines + 3);
    const finger =
      limb === 0 ? "thumb" : `f_${limb === 4 ? "pinky" : FINGERS[limb]?.toLowerCase()}`;
    if (part === "finger") return `DEF-${finger}.${pad(index + 1)}${suffix}`;
    return LIMBS.rigify[part] && `DEF-${LIMBS.rigify[part]}${suffix}`;
  },
};

/**
 * Renames the joints of a biped in a convention; joints without a counterpart in it keep their names.
 *
 * Throws `InputError` for other bodies: the conventions name people only.
 */
export function nameJoints(skeleton: Skeleton, convention: Convention): Skeleton {
  if (convention === "own") return skeleton;
  const found = skeletonRoles(skeleton);
  if (found.kind !== "biped") {
    throw new InputError({
      what: `the names of ${convention} are for bodies with two arms and two legs`,
      remedy: { option: "names", advice: "keep the own names" },
    });
  }
  const spines = found.roles.filter((role) => role?.part === "spine").length;
  const taken = new Set<string>();
  const names = found.roles.map((role, joint) => {
    const name = (role && NAMERS[convention](role, spines)) ?? skeleton.names[joint];
    const unique = taken.has(name) ? `${name}_${joint}` : name;
    taken.add(unique);
    return unique;
  });
  return { ...skeleton, names };
}
