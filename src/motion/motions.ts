import { add, subtract, type Vec3 } from "../math/vec3.ts";
import type { BodyKind } from "../skeleton/roles.ts";
import type { Skeleton } from "../skeleton/skeleton.ts";
import { type BodyPlan, bodyPlan, type PlanLeg } from "./body-plan.ts";
import { type FootStep, footPath, hipDrop, meanReach, plantFeet } from "./feet.ts";
import { createPoser, endPosition, mix, type Poser } from "./poser.ts";

/** A motion of a skeleton: poses at equal steps that repeat after `duration`. */
export interface MotionClip {
  name: string;
  /** Seconds. */
  duration: number;
  /** K times in seconds, from 0 to `duration`; the last pose equals the first. */
  times: Float32Array;
  /** K×J×4 rotations about bind-pose axes, as `forwardKinematics` takes them. */
  rotations: Float32Array;
  /** K×J×3 translations relative to the parent, in bind-pose axes. */
  translations: Float32Array;
  /** Ground speed in units per second: the clip stays in place, and the ground passes backwards. */
  speed: number;
}

/** The names of the motions. */
export const MOTIONS = [
  "idle",
  "walk",
  "run",
  "jump",
  "wave",
  "crouch",
  "look",
  "trot",
  "fly",
  "swim",
  "slither",
  "scuttle",
] as const;

/** The name of a motion. */
export type MotionName = (typeof MOTIONS)[number];

/** Poses per second. */
const RATE = 24;
const TAU = 2 * Math.PI;

interface Motion {
  duration: number;
  /** The steps of a walk, whose stride follows the reach of the legs. */
  gait?: Gait;
  /** Poses the body at a phase from 0 to 1; returns nothing. */
  pose: (poser: Poser, plan: BodyPlan, phase: number) => void;
  /** Ground speed in leg lengths per second. */
  speed?: (plan: BodyPlan) => number;
  /** Whether the body has what the motion needs. */
  suits: (plan: BodyPlan) => boolean;
}

const TABLE: Record<MotionName, Motion> = {
  idle: { duration: 3, pose: idle, suits: () => true },
  walk: gait({ duration: 1.1, stance: 0.62, stride: 0.62, lift: 0.14, bob: 0.015 }),
  run: gait({ duration: 0.66, stance: 0.36, stride: 0.7, lift: 0.3, bob: 0.05 }),
  trot: gait({ duration: 0.7, stance: 0.5, stride: 0.6, lift: 0.2, bob: 0.03, isTrot: true }),
  scuttle: gait({ duration: 0.6, stance: 0.55, stride: 0.3, lift: 0.12, bob: 0.01 }),
  jump: { duration: 1.4, pose: jump, suits: ({ legs }) => legs.length > 0 },
  crouch: { duration: 2, pose: crouch, suits: ({ legs }) => legs.length > 0 },
  wave: { duration: 1.6, pose: wave, suits: ({ arms }) => arms.length > 0 },
  look: { duration: 3, pose: look, suits: ({ head, neck }) => head.length + neck.length > 0 },
  fly: { duration: 0.8, pose: fly, suits: ({ wings }) => wings.some(({ side }) => side !== 0) },
  swim: { duration: 1.2, pose: swim, suits: (plan) => backbone(plan).length > 1 },
  slither: { duration: 1.6, pose: slither, suits: (plan) => backbone(plan).length > 3 },
};

const USUAL: Record<BodyKind, MotionName[]> = {
  biped: ["idle", "walk", "run", "jump", "wave", "crouch", "look"],
  quadruped: ["idle", "walk", "trot", "look"],
  dragon: ["idle", "walk", "fly", "look"],
  bird: ["idle", "walk", "fly", "look"],
  fish: ["swim"],
  snake: ["slither"],
  insect: ["idle", "scuttle"],
  spider: ["idle", "scuttle"],
  other: ["idle"],
};

/** Returns the motions that suit a body, the usual ones of its kind first. */
export function motionsFor(skeleton: Skeleton, mesh?: { positions: Float32Array }): MotionName[] {
  const plan = bodyPlan(skeleton, mesh);
  const usual = USUAL[plan.roles.kind];
  return [...usual, ...MOTIONS.filter((name) => !usual.includes(name))].filter((name) =>
    TABLE[name].suits(plan),
  );
}

/**
 * Makes a motion for any skeleton with roles; undefined if the body lacks what it needs (wings to fly).
 *
 * The clip loops and stays in place. Feet on the ground move straight back at the clip's speed.
 *
 * @param mesh tells where the ground is, for legs without a foot joint
 */
export function makeMotion(
  skeleton: Skeleton,
  name: MotionName,
  mesh?: { positions: Float32Array },
): MotionClip | undefined {
  const plan = bodyPlan(skeleton, mesh);
  const known = TABLE[name];
  if (!known.suits(plan)) return undefined;
  const motion = known.gait ? gait(reachableGait(skeleton, plan, known.gait)) : known;
  const count = Math.max(8, Math.round(motion.duration * RATE)) + 1;
  const J = skeleton.parents.length;
  const clip: MotionClip = {
    name,
    duration: motion.duration,
    times: Float32Array.from({ length: count }, (_, k) => (k * motion.duration) / (count - 1)),
    rotations: new Float32Array(count * J * 4),
    translations: new Float32Array(count * J * 3),
    speed: motion.speed?.(plan) ?? 0,
  };
  for (let k = 0; k < count; k++) {
    const poser = createPoser(skeleton);
    motion.pose(poser, plan, (k % (count - 1)) / (count - 1));
    clip.rotations.set(poser.rotations, k * J * 4);
    clip.translations.set(poser.translations, k * J * 3);
  }
  return clip;
}

const wave01 = (phase: number) => Math.sin(TAU * phase);

/** Arms that are spread hang down, a little away from the body, and swing forwards by an angle. */
function hangArms(
  poser: Poser,
  plan: BodyPlan,
  swing: (side: number) => number,
  bend: number,
): void {
  const { up, left, front } = plan;
  for (const { side, upper, lower, hand } of plan.arms) {
    const toward = lower ?? hand;
    if (toward === undefined) continue;
    const angle = swing(side);
    const along = (by: number): Vec3 =>
      add(mix(up, -Math.cos(by), front, Math.sin(by)), mix(left, 0.16 * side, up, 0));
    poser.aim(upper, toward, along(angle));
    if (lower !== undefined && hand !== undefined) poser.aim(lower, hand, along(angle + bend));
  }
}

/** Waves along tails and loose chains. */
function swayChains(poser: Poser, plan: BodyPlan, phase: number, size: number): void {
  for (const tail of plan.tails) {
    tail.forEach((joint, i) => {
      poser.rotate(joint, plan.up, (size / Math.sqrt(tail.length)) * wave01(phase - 0.12 * i));
    });
  }
  for (const chain of plan.chains) {
    chain.forEach((joint, i) => {
      poser.rotate(joint, plan.left, 0.25 * size * wave01(phase - 0.1 * (i + 1)));
    });
  }
}

function spread(joints: number[], act: (joint: number, part: number) => void): void {
  for (const joint of joints) act(joint, 1 / joints.length);
}

function idle(poser: Poser, plan: BodyPlan, phase: number): void {
  const breath = wave01(phase);
  const legs = plan.legs;
  const drop = legs.length > 0 ? 0.004 * meanReach(legs) * (breath - 1.5) : 0;
  if (legs.length > 0) poser.move(plan.root, mix(plan.up, drop, plan.up, 0));
  spread(plan.spine, (joint, part) => poser.rotate(joint, plan.left, -0.02 * part * breath));
  spread(plan.neck, (joint, part) => poser.rotate(joint, plan.left, 0.02 * part * breath));
  if (isUpright(plan)) hangArms(poser, plan, () => 0.03 + 0.01 * breath, 0.15);
  swayChains(poser, plan, phase, 0.2);
  plantFeet(poser, plan, () => undefined);
}

function isUpright({ roles }: BodyPlan): boolean {
  return roles.kind === "biped";
}

interface Gait {
  duration: number;
  /** Fraction of the cycle in which a foot is on the ground. */
  stance: number;
  /** Way of a foot on the ground, and height of a step, in leg lengths. */
  stride: number;
  lift: number;
  /** Amplitude of the hips' height, in leg lengths. */
  bob: number;
  isTrot?: boolean;
  /** Whether the hips neither sway nor turn nor bob, for legs that cannot follow. */
  isCalm?: boolean;
}

function gait(set: Gait): Motion {
  return {
    duration: set.duration,
    gait: set,
    pose: (poser, plan, phase) => stepPose(poser, plan, phase, set),
    speed: (plan) => (set.stride * meanReach(plan.legs)) / (set.stance * set.duration),
    suits: (plan) =>
      isStanding(plan) &&
      plan.legs.some(({ side }) => side > 0) &&
      plan.legs.some(({ side }) => side < 0),
  };
}

/** Legs of a body that stands on them are at least this high, as a fraction of their reach. */
const STANDING = 0.15;

/** Whether the body stands on its legs: one that lies in its bind pose cannot walk. Six legs may stick out. */
function isStanding({ legs }: BodyPlan): boolean {
  const sum = (of: (leg: PlanLeg) => number) => legs.reduce((total, leg) => total + of(leg), 0);
  return (
    legs.some(({ limb }) => limb > 1) ||
    sum(({ height }) => height) >= STANDING * sum(({ reach: size }) => size)
  );
}

/** Strides that are tried, as fractions of the usual one, and phases at which they are tried. */
const STRIDES = [1, 0.85, 0.7, 0.55, 0.4];
const TRIED_PHASES = 12;
/** A planted foot may miss its goal by this fraction of the height of the body. */
const MISSED = 0.005;

/** Shortens the stride of a gait, and then calms the hips, until planted feet stay on the ground: some legs bend little. */
function reachableGait(skeleton: Skeleton, plan: BodyPlan, set: Gait): Gait {
  const missOf = (tried: Gait) => {
    let most = 0;
    for (let i = 0; i < TRIED_PHASES; i++) {
      const phase = i / TRIED_PHASES;
      const poser = createPoser(skeleton);
      stepPose(poser, plan, phase, tried);
      for (const leg of plan.legs) {
        const at = (phase + phaseOf(plan, leg, tried.isTrot ?? false)) % 1;
        if (at >= tried.stance || leg.hinges.length < 2) continue;
        const { shift } = stepOf(plan, tried, at);
        const miss = subtract(endPosition(poser, leg.end), add(leg.foot, shift));
        most = Math.max(most, Math.hypot(...miss));
      }
    }
    return most;
  };
  const tried = [false, true].flatMap((isCalm) =>
    STRIDES.map((factor) => ({ ...set, stride: set.stride * factor, isCalm })),
  );
  const misses = tried.map(() => Infinity);
  for (const [i, gait] of tried.entries()) {
    misses[i] = missOf(gait);
    if (misses[i] <= MISSED * plan.height) return gait;
  }
  return tried[misses.indexOf(Math.min(...misses))];
}

/** Where a foot is in a cycle of a gait. */
function stepOf(plan: BodyPlan, set: Gait, at: number): FootStep {
  const size = meanReach(plan.legs);
  return footPath(at, set.stance, set.stride * size, set.lift * size, plan);
}

/** When a leg's step starts, as a fraction of the cycle. */
function phaseOf(plan: BodyPlan, { side, limb }: PlanLeg, isTrot: boolean): number {
  const pairs = 1 + Math.max(...plan.legs.map((leg) => leg.limb));
  const half = side > 0 ? 0 : 0.5;
  if (pairs === 1) return half;
  // Diagonal legs together; or hind left, front left, hind right, front right; or waves of every other leg.
  if (pairs > 2 || isTrot) return half + 0.5 * (limb % 2);
  return half + (limb === 0 ? 0.25 : 0);
}

function stepPose(poser: Poser, plan: BodyPlan, phase: number, set: Gait): void {
  const { legs, up, left } = plan;
  const size = meanReach(legs);
  const isLow = legs.some(({ limb }) => limb > 1);
  const stride = set.stride * size;
  const drop = isLow
    ? 0
    : Math.max(...legs.map((leg) => (leg.hinges.length > 1 ? hipDrop(leg, stride) : 0)));
  // Twice per cycle: lowest when both feet are on the ground.
  const isCalm = set.isCalm ?? false;
  const bob = isCalm ? 0 : set.bob * size * (Math.cos(2 * TAU * (phase - 0.06)) - 1);
  const sway = isUpright(plan) && !isCalm ? 0.02 * size * wave01(phase + 0.05) : 0;
  poser.move(plan.root, mix(up, -drop + bob, left, sway));
  const swing = wave01(phase + 0.25);
  if (isUpright(plan)) {
    const twist = isCalm ? 0 : -0.16 * swing;
    spread(plan.spine, (joint, part) => poser.rotate(joint, up, twist * part));
    spread(plan.spine, (joint, part) =>
      poser.rotate(joint, left, (set.stance < 0.5 ? 0.16 : 0.04) * part),
    );
    spread(plan.neck, (joint, part) => poser.rotate(joint, up, 0.1 * part * swing));
    const reachOut = set.stance < 0.5 ? 0.75 : 0.38;
    hangArms(poser, plan, (side) => -side * reachOut * swing, set.stance < 0.5 ? 1.3 : 0.3);
  } else {
    spread([...plan.neck, ...plan.head], (joint, part) =>
      poser.rotate(joint, left, 0.05 * part * Math.cos(2 * TAU * phase)),
    );
  }
  // Before the feet, because a chain may carry legs.
  swayChains(poser, plan, phase, 0.3);
  plantFeet(poser, plan, (leg) => {
    const at = (phase + phaseOf(plan, leg, set.isTrot ?? false)) % 1;
    return stepOf(plan, set, at);
  });
}

function crouch(poser: Poser, plan: BodyPlan, phase: number): void {
  const depth = (1 - Math.cos(TAU * phase)) / 2;
  lower(poser, plan, 0.38 * depth);
  spread(plan.spine, (joint, part) => poser.rotate(joint, plan.left, 0.45 * depth * part));
  spread(plan.neck, (joint, part) => poser.rotate(joint, plan.left, -0.3 * depth * part));
  if (isUpright(plan)) hangArms(poser, plan, () => 0.1 + 0.4 * depth, 0.2 + 0.5 * depth);
  plantFeet(poser, plan, () => undefined);
}

/** Moves the hips down by a fraction of the legs' length, and a little back. */
function lower(poser: Poser, plan: BodyPlan, fraction: number): void {
  const size = meanReach(plan.legs);
  poser.move(plan.root, mix(plan.up, -fraction * size, plan.front, -0.15 * fraction * size));
}

function jump(poser: Poser, plan: BodyPlan, phase: number): void {
  const size = meanReach(plan.legs);
  const bell = (from: number, to: number) =>
    phase <= from || phase >= to ? 0 : Math.sin((Math.PI * (phase - from)) / (to - from)) ** 2;
  const air = phase <= 0.35 || phase >= 0.7 ? 0 : Math.sin((Math.PI * (phase - 0.35)) / 0.35);
  const bend = bell(0, 0.36) + 0.8 * bell(0.68, 1);
  lower(poser, plan, 0.3 * bend);
  const high = 0.45 * size * air;
  poser.move(plan.root, mix(plan.up, high, plan.up, 0));
  spread(plan.spine, (joint, part) => poser.rotate(joint, plan.left, 0.35 * bend * part));
  if (isUpright(plan)) hangArms(poser, plan, () => -0.5 * bend + 1.6 * air, 0.3);
  plantFeet(poser, plan, () => ({
    shift: mix(plan.up, 1.08 * high, plan.front, 0),
    pitch: 0.5 * air,
  }));
}

function wave(poser: Poser, plan: BodyPlan, phase: number): void {
  idle(poser, plan, phase);
  // The right hand, or the only one.
  const arm = plan.arms.find(({ side }) => side < 0) ?? plan.arms[0];
  const toward = arm.lower ?? arm.hand;
  if (toward === undefined) return;
  const out = mix(plan.left, arm.side, plan.up, 0);
  poser.aim(
    arm.upper,
    toward,
    add(mix(out, 0.9, plan.up, 0.15), mix(plan.front, 0.15, plan.up, 0)),
  );
  if (arm.lower === undefined || arm.hand === undefined) return;
  const swing = 0.45 * Math.sin(2 * TAU * phase);
  poser.aim(
    arm.lower,
    arm.hand,
    add(mix(plan.up, 1, out, 0.15 + swing), mix(plan.front, 0.1, plan.up, 0)),
  );
}

function look(poser: Poser, plan: BodyPlan, phase: number): void {
  idle(poser, plan, phase);
  const joints = [...plan.neck, ...plan.head.slice(0, 1)];
  const around = 0.9 * Math.sin(TAU * phase) - 0.2 * Math.sin(2 * TAU * phase);
  spread(joints, (joint, part) => poser.rotate(joint, plan.up, around * part));
  spread(joints, (joint, part) =>
    poser.rotate(joint, plan.left, 0.1 * Math.sin(2 * TAU * phase) * part),
  );
}

function fly(poser: Poser, plan: BodyPlan, phase: number): void {
  for (const { side, joints } of plan.wings) {
    joints.forEach((joint, i) => {
      const size = (i === 0 ? 0.7 : 0.45) / Math.sqrt(Math.max(1, joints.length - 1));
      poser.rotate(joint, plan.front, side * size * wave01(phase - 0.09 * i));
    });
  }
  poser.move(plan.root, mix(plan.up, -0.04 * plan.height * wave01(phase), plan.up, 0));
  for (const leg of plan.legs) poser.rotate(leg.hinges[0].joint, plan.left, 0.3);
  swayChains(poser, plan, phase, 0.15);
}

/** The joints of the body from head to tail that bend to swim or slither. */
function backbone(plan: BodyPlan): number[] {
  return [...plan.neck, ...plan.spine, ...plan.tails.flat()];
}

function swim(poser: Poser, plan: BodyPlan, phase: number): void {
  const tails = plan.tails.flat();
  const joints = tails.length > 0 ? [...plan.spine, ...tails] : plan.spine;
  joints.forEach((joint, i) => {
    const grow = (i + 1) / joints.length;
    poser.rotate(
      joint,
      plan.up,
      (0.9 / Math.sqrt(joints.length)) * grow * wave01(phase - 0.55 * grow),
    );
  });
  for (const { side, joints: fin } of plan.fins) {
    for (const joint of fin) poser.rotate(joint, plan.front, 0.3 * side * wave01(phase));
  }
}

function slither(poser: Poser, plan: BodyPlan, phase: number): void {
  const joints = backbone(plan);
  joints.forEach((joint, i) => {
    const along = i / joints.length;
    poser.rotate(joint, plan.up, (1.6 / Math.sqrt(joints.length)) * wave01(phase - 1.2 * along));
  });
}
