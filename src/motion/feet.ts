import { power } from "../math/power.ts";
import { quaternionFromAxisAngle, rotateVector } from "../math/quaternion.ts";
import { add, scale, subtract, type Vec3 } from "../math/vec3.ts";
import type { BodyPlan, PlanLeg } from "./body-plan.ts";
import { endPosition, inverse, mix, type Poser, reach } from "./poser.ts";

const TAU = 2 * Math.PI;

/** How far the hips must go down for a leg to reach both ends of a stride. */
export function hipDrop({ reach: size, height }: PlanLeg, stride: number): number {
  const low = Math.sqrt(Math.max(0, (0.985 * size) ** 2 - (0.55 * stride) ** 2));
  return Math.max(0, height - low);
}

export interface FootStep {
  /** From the rest position. */
  shift: Vec3;
  /** Rotation of the foot about the left axis: toes down is positive. */
  pitch: number;
}

/** On the ground a foot moves back at constant speed; then it is lifted and carried forwards. */
export function footPath(
  at: number,
  stance: number,
  stride: number,
  lift: number,
  { up, front }: { up: Vec3; front: Vec3 },
): FootStep {
  if (at < stance) {
    return { shift: mix(front, stride * (0.5 - at / stance), up, 0), pitch: 0 };
  }
  const t = (at - stance) / (1 - stance);
  // A cubic that leaves and lands with the speed of the ground.
  const slope = (-stride * (1 - stance)) / stance;
  const [t2, t3] = [t * t, t * t * t];
  const [h00, h10] = [2 * t3 - 3 * t2 + 1, t3 - 2 * t2 + t];
  const [h01, h11] = [3 * t2 - 2 * t3, t3 - t2];
  const along = (h00 * -stride) / 2 + h10 * slope + (h01 * stride) / 2 + h11 * slope;
  const high = lift * power(Math.max(0, Math.sin(Math.PI * t)), 1.2);
  return {
    shift: mix(front, along, up, high),
    pitch: 0.5 * Math.sin(TAU * t) * (t < 0.5 ? 1 : 0.5),
  };
}

/** Keeps feet where they stand, or on their step, with the legs' joints. */
export function plantFeet(
  poser: Poser,
  plan: BodyPlan,
  step: (leg: PlanLeg) => FootStep | undefined,
): void {
  for (const leg of plan.legs) {
    const { shift, pitch } = step(leg) ?? { shift: [0, 0, 0] as Vec3, pitch: 0 };
    const goal = add(leg.foot, shift);
    reach(poser, leg.hinges, leg.end, reachable(poser, leg, goal));
    if (leg.hinges.length === 1) lift(poser, plan, leg, goal);
    const { ankle } = leg;
    if (ankle === undefined) continue;
    // The sole stays level, except in the air.
    poser.setTotal(ankle, quaternionFromAxisAngle(plan.left, pitch));
    if (leg.end.joint === ankle) continue;
    const way = subtract(endPosition(poser, leg.end), poser.position(ankle));
    const parent = poser.skeleton.parents[ankle];
    poser.move(ankle, parent < 0 ? way : rotateVector(inverse(poser.total(parent)), way));
  }
}

/** A leg without a knee swings on an arc: its goal goes to the height of the arc. */
function reachable(poser: Poser, { hinges, reach: size }: PlanLeg, goal: Vec3): Vec3 {
  if (hinges.length > 1) return goal;
  const [x, y, z] = poser.position(hinges[0].joint);
  const across = Math.hypot(goal[0] - x, goal[2] - z);
  return [goal[0], y - Math.sqrt(Math.max(0, size * size - across * across)), goal[2]];
}

/** A leg without a knee cannot lift its foot in a step, so the whole leg rises. */
function lift(
  poser: Poser,
  { up, skeleton }: BodyPlan,
  { hinges, end }: PlanLeg,
  goal: Vec3,
): void {
  const missing = goal[1] - endPosition(poser, end)[1];
  if (missing <= 0) return;
  const [{ joint }] = hinges;
  const parent = skeleton.parents[joint];
  const way = scale(up, missing);
  poser.move(joint, parent < 0 ? way : rotateVector(inverse(poser.total(parent)), way));
}

/** The shortest reach of the legs: the size of steps. */
export function meanReach(legs: PlanLeg[]): number {
  return Math.min(...legs.map(({ reach: size }) => size));
}
