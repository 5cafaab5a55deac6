import { type NamedPart, type NameFacts, readJointName } from "./joint-names.ts";
import { collectLimbs, type Limb, longestPath, RANKS, type Side, sideOf, span } from "./limbs.ts";
import { shapeFacts } from "./shape-facts.ts";
import { childrenOf, parentsFirst, type Skeleton } from "./skeleton.ts";

/** The part of the body that a joint moves. */
export type RolePart =
  | "hips"
  | "spine"
  | "neck"
  | "head"
  | "shoulder"
  | "upperArm"
  | "lowerArm"
  | "hand"
  | "finger"
  | "upperLeg"
  | "lowerLeg"
  | "foot"
  | "toe"
  | "tail"
  | "wing"
  | "fin"
  | "chain";

/** The role of a joint in a body. */
export interface Role {
  part: RolePart;
  /** 1 for left, -1 for right, 0 for the middle. */
  side: 1 | -1 | 0;
  /** Number of the limb: the finger from the thumb (0 to 4), or the pair of legs from the front. */
  limb: number;
  /** Position among the joints with this part, side and limb: `index` of `count`. */
  index: number;
  count: number;
}

/** What kind of body a skeleton has. */
export type BodyKind =
  | "biped"
  | "quadruped"
  | "bird"
  | "dragon"
  | "fish"
  | "snake"
  | "insect"
  | "spider"
  | "other";

/** The roles of the joints of a skeleton. */
export interface SkeletonRoles {
  kind: BodyKind;
  /** J; undefined for roots, twist joints, targets, faces and attachments. */
  roles: (Role | undefined)[];
}

const ARM_PARTS: RolePart[] = ["shoulder", "upperArm", "lowerArm", "hand", "hand"];
const LEG_PARTS: RolePart[] = ["upperLeg", "upperLeg", "lowerLeg", "foot", "toe"];

/**
 * Finds the role of each joint from its name, and from the hierarchy and symmetry where names say nothing.
 *
 * Assumes y up and left at +x for joints whose names have no side.
 */
export function skeletonRoles(skeleton: Skeleton): SkeletonRoles {
  const facts = skeleton.names.map(readJointName);
  const hasNames = facts.filter(({ part }) => part && part !== "helper" && part !== "root").length;
  const known = hasNames >= Math.max(2, 0.25 * facts.length) ? facts : shapeFacts(skeleton);
  const limbs = collectLimbs(skeleton, known);
  const roles: SkeletonRoles["roles"] = new Array(facts.length).fill(undefined);
  assignTrunk(skeleton, known, limbs, roles);
  assignLimbs(skeleton, known, limbs, roles);
  assignFingers(skeleton, known, roles);
  const kind = bodyKind(skeleton, limbs, roles);
  if (kind === "quadruped" || kind === "dragon") armsToLegs(limbs, roles);
  numberRoles(skeleton, roles);
  return { kind, roles };
}

/** Returns the joints with a part, in order of limb and index. */
export function jointsWithRole(
  { roles }: SkeletonRoles,
  part: RolePart,
  side?: Side,
  limb?: number,
): number[] {
  return [...roles.keys()]
    .filter((joint) => {
      const role = roles[joint];
      if (role?.part !== part) return false;
      return (
        (side === undefined || role.side === side) && (limb === undefined || role.limb === limb)
      );
    })
    .sort((a, b) => roles[a]!.limb - roles[b]!.limb || roles[a]!.index - roles[b]!.index);
}

/** The joints of the trunk: hips, spine, neck and head, along one path. */
function assignTrunk(
  skeleton: Skeleton,
  facts: NameFacts[],
  limbs: Limb[],
  roles: SkeletonRoles["roles"],
): void {
  const { parents } = skeleton;
  const onLimb = new Set(limbs.flatMap(({ joints }) => joints));
  const isFree = (joint: number) =>
    joint >= 0 && !onLimb.has(joint) && facts[joint].part !== "helper";
  const above = (joint: number): number[] => {
    const path: number[] = [];
    for (let at = joint; at >= 0; at = parents[at]) path.push(at);
    return path;
  };
  const named = (part: NamedPart) =>
    [...parentsFirst(skeleton)].filter((joint) => facts[joint].part === part && isFree(joint));
  const heads = named("head");
  const hasPart = (kind: Limb["kind"]) =>
    limbs.filter((limb) => limb.kind === kind && limb.side !== 0);
  const attach = (list: Limb[]) =>
    list.map(({ joints }) => parents[joints[0]]).filter((j) => j >= 0);
  const legTop = commonAncestor(
    skeleton,
    attach(hasPart("leg").filter(({ joints }) => joints.every((joint) => facts[joint].end !== 1))),
  );
  const armTop = commonAncestor(skeleton, attach([...hasPart("arm"), ...hasPart("wing")]));
  const spines = named("spine");
  const necks = named("neck");
  const last = spines.filter((joint) => armTop < 0 || above(joint).includes(armTop)).at(-1);
  const tip = heads[0] ?? necks.at(-1) ?? last ?? (armTop >= 0 ? armTop : spines.at(-1)) ?? -1;
  if (tip < 0) return;
  const path = above(tip).reverse();
  const hips = hipsOn(path, facts, legTop, spines, isFree);
  const from = Math.max(0, path.indexOf(hips));
  const trunk = path
    .slice(from)
    .filter((joint) => (isFree(joint) && facts[joint].part !== "root") || joint === hips);
  const firstNeck = trunk.findIndex((joint) => facts[joint].part === "neck");
  const firstHead = trunk.findIndex((joint) => facts[joint].part === "head");
  const armAt = trunk.indexOf(armTop);
  // Without names, the last joint above the arms is the head.
  const isHead = (i: number) =>
    firstHead >= 0
      ? i >= firstHead
      : firstNeck < 0 && armAt >= 0 && i > armAt && i === trunk.length - 1;
  const isNeck = (i: number) => (firstNeck >= 0 ? i >= firstNeck : armAt >= 0 && i > armAt);
  trunk.forEach((joint, i) => {
    const isHips = joint === hips && i === 0;
    const part = isHips ? "hips" : isHead(i) ? "head" : isNeck(i) ? "neck" : "spine";
    roles[joint] = { part, side: 0, limb: 0, index: 0, count: 1 };
  });
  // Joints named as hips that hang on a joint of the entire body.
  for (const joint of named("hips")) {
    if (!roles[joint]) roles[joint] = { part: "hips", side: 0, limb: 0, index: 0, count: 1 };
  }
  // Spine joints below the hips or in another branch (pelvis under spine) keep the hips.
  if (
    legTop >= 0 &&
    legTop !== hips &&
    isFree(legTop) &&
    !roles[legTop] &&
    facts[legTop].part !== "root"
  ) {
    roles[legTop] = { part: "hips", side: 0, limb: 0, index: 0, count: 1 };
  }
}

function hipsOn(
  path: number[],
  facts: NameFacts[],
  legTop: number,
  spines: number[],
  isFree: (joint: number) => boolean,
): number {
  const named = path.find((joint) => facts[joint].part === "hips");
  if (named !== undefined) return named;
  if (path.includes(legTop) && isFree(legTop)) return legTop;
  return path.find((joint) => spines.includes(joint)) ?? path.find(isFree) ?? path[0];
}

function commonAncestor({ parents }: Skeleton, joints: number[]): number {
  if (joints.length === 0) return -1;
  const pathOf = (joint: number) => {
    const path: number[] = [];
    for (let at = joint; at >= 0; at = parents[at]) path.unshift(at);
    return path;
  };
  return (
    joints
      .map(pathOf)
      .reduce((a, b) => {
        let i = 0;
        while (i < a.length && i < b.length && a[i] === b[i]) i++;
        return a.slice(0, i);
      })
      .at(-1) ?? -1
  );
}

function assignLimbs(
  skeleton: Skeleton,
  facts: NameFacts[],
  limbs: Limb[],
  roles: SkeletonRoles["roles"],
): void {
  const { positions } = skeleton;
  for (const kind of ["arm", "leg", "wing", "fin", "tail", "chain"] as const) {
    for (const side of [1, -1, 0] as const) {
      const own = limbs.filter((limb) => limb.kind === kind && limb.side === side);
      // From the front to the back; by name first.
      const front = ({ joints }: Limb) => {
        const end = joints.map((joint) => facts[joint].end).find((value) => value !== 0) ?? 0;
        const z = joints.reduce((sum, joint) => sum + positions[joint * 3 + 2], 0) / joints.length;
        return 10 * end * span(positions) + z;
      };
      own.sort((a, b) => front(b) - front(a));
      own.forEach(({ joints }, limb) => {
        const parts = partsAlong(
          kind,
          joints.map((joint) => facts[joint].part),
        );
        const stubs = kind === "leg" ? hipStubs(positions, joints, parts) : 0;
        joints.forEach((joint, i) => {
          if (roles[joint] || i < stubs) return;
          roles[joint] = { part: parts[i], side, limb, index: 0, count: 1 };
        });
      });
    }
  }
}

/** Counts the joints before the thigh that lead to it sideways or upwards: they belong to the hips. */
function hipStubs(positions: Float32Array, joints: number[], parts: RolePart[]): number {
  const isStub = (i: number) => {
    if (parts[i] !== "upperLeg" || parts[i + 1] !== "upperLeg") return false;
    const [x, y, z] = [0, 1, 2].map(
      (axis) => positions[joints[i + 1] * 3 + axis] - positions[joints[i] * 3 + axis],
    );
    return -y < Math.hypot(x, z);
  };
  let count = 0;
  while (isStub(count)) count++;
  return count;
}

/** Parts along an arm or leg: as named, and counted on where a name is general. */
function partsAlong(kind: Limb["kind"], named: (NamedPart | undefined)[]): RolePart[] {
  if (kind !== "arm" && kind !== "leg") return named.map(() => kind);
  const parts = kind === "arm" ? ARM_PARTS : LEG_PARTS;
  const last = kind === "arm" ? 3 : 4;
  const ranks = named.map((part) => (part && RANKS[part] !== undefined ? RANKS[part] : -1));
  // A shoulder directly followed by a forearm is the upper arm.
  if (kind === "arm" && ranks[0] === 0 && ranks.length > 1 && ranks[1] === 2) ranks[0] = 1;
  if (kind === "arm" && ranks[0] === 0 && ranks.length === 3 && ranks[1] === -1 && ranks[2] === -1)
    ranks[0] = 1;
  let previous = 0;
  ranks.forEach((rank, i) => {
    if (rank >= 0) {
      previous = Math.max(previous, rank);
      ranks[i] = previous;
      return;
    }
    const next = ranks.slice(i + 1).find((later) => later >= 0);
    previous = Math.min(
      previous + 1,
      next === undefined
        ? last
        : Math.max(previous, next === previous + 1 && i > 0 ? previous + 1 : next - 1),
      last,
    );
    ranks[i] = Math.max(1, previous);
  });
  return ranks.map((rank) => parts[rank]);
}

function assignFingers(
  skeleton: Skeleton,
  facts: NameFacts[],
  roles: SkeletonRoles["roles"],
): void {
  const children = childrenOf(skeleton);
  const { parents, positions } = skeleton;
  const isFinger = (joint: number) => facts[joint].part === "finger";
  for (const side of [1, -1] as const) {
    const tops = [...facts.keys()].filter(
      (joint) =>
        isFinger(joint) &&
        !(parents[joint] >= 0 && isFinger(parents[joint])) &&
        sideOf(skeleton, facts, [joint]) === side,
    );
    const unnamed = tops.filter((joint) => facts[joint].finger < 0);
    // Fingers without names count from the front.
    unnamed.sort((a, b) => positions[b * 3 + 2] - positions[a * 3 + 2]);
    for (const top of tops) {
      const path = longestPath(top, isFinger, children);
      const finger = facts[top].finger >= 0 ? facts[top].finger : unnamed.indexOf(top);
      path.forEach((joint) => {
        roles[joint] = { part: "finger", side, limb: finger, index: 0, count: 1 };
      });
    }
  }
}

const FRONT_LEG: Partial<Record<RolePart, RolePart>> = {
  upperArm: "upperLeg",
  lowerArm: "lowerLeg",
  hand: "foot",
  finger: "toe",
};

/** On four legs, limbs named as arms are the front legs. */
function armsToLegs(limbs: Limb[], roles: SkeletonRoles["roles"]): void {
  if (limbs.filter(({ kind, side }) => kind === "leg" && side === 1).length > 1) return;
  for (const role of roles) {
    if (!role) continue;
    if (LEG_PARTS.includes(role.part)) role.limb = 1;
    else if (FRONT_LEG[role.part]) {
      role.part = FRONT_LEG[role.part]!;
      role.limb = 0;
    }
  }
}

/** Numbers the joints that share a part, side and limb along the hierarchy. */
function numberRoles(skeleton: Skeleton, roles: SkeletonRoles["roles"]): void {
  const groups = new Map<string, Role[]>();
  for (const joint of parentsFirst(skeleton)) {
    const role = roles[joint];
    if (!role) continue;
    const key = `${role.part}/${role.side}/${role.limb}`;
    groups.set(key, [...(groups.get(key) ?? []), role]);
  }
  for (const list of groups.values()) {
    list.forEach((role, index) => {
      role.index = index;
      role.count = list.length;
    });
  }
}

function bodyKind({ positions }: Skeleton, limbs: Limb[], roles: SkeletonRoles["roles"]): BodyKind {
  const pairs = (kind: Limb["kind"]) =>
    Math.min(
      ...([1, -1] as const).map(
        (side) => limbs.filter((l) => l.kind === kind && l.side === side).length,
      ),
    );
  const [arms, legs, wings, fins] = (["arm", "leg", "wing", "fin"] as const).map(pairs);
  if (legs >= 4) return "spider";
  if (legs === 3) return "insect";
  const isOnFours = legs >= 2 || (legs === 1 && arms >= 1 && isHorizontal(positions, roles));
  if (wings > 0 && isOnFours) return "dragon";
  if (isOnFours) return "quadruped";
  if (wings > 0 && arms === 0) return "bird";
  if (legs === 1) return "biped";
  if (arms > 0) return "biped";
  if (fins > 0 || (legs === 0 && limbs.some(({ kind }) => kind === "fin" || kind === "tail")))
    return "fish";
  return roles.filter((role) => role?.part === "spine").length >= 4 ? "snake" : "other";
}

/** Height of the hips over the feet, relative to the span of the joints, from which a body stands. */
const STANDS = 0.1;

/** Whether the trunk lies, with its hands about as low as the feet. */
function isHorizontal(positions: Float32Array, roles: SkeletonRoles["roles"]): boolean {
  const heights = (part: RolePart) =>
    [...roles.keys()]
      .filter((joint) => roles[joint]?.part === part)
      .map((joint) => positions[joint * 3 + 1]);
  const last = (...parts: RolePart[]) =>
    parts.map(heights).find((list) => list.length > 0) ?? [Number.NaN];
  const hand = Math.max(...last("hand", "lowerArm", "upperArm"));
  const foot = Math.min(...last("foot", "lowerLeg", "upperLeg"));
  const hips = Math.max(...heights("hips")) - foot;
  // The hips of a person who lies are as low as the feet.
  return hips > STANDS * span(positions) && hand - foot < 0.25 * hips;
}
