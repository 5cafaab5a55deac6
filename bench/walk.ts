/**
 * Measures how far planted feet slide in a walk, for one character of each skeleton that can walk:
 *
 *     npm run bench walk -- <data folder> [--split val]
 *
 * The distance of a foot relative to the ground, summed over the frames of a cycle in which it is down, for the
 * worst leg, in heights of the skeleton. Figures go to bench/results/walk.csv, a summary to standard output.
 */
import path from "node:path";
import { parseArgs } from "node:util";
import { readCharacterFile } from "../src/disk/character-files.ts";
import { listCharacters } from "../src/files/evaluate-folder.ts";
import { mean } from "../src/math/arrays.ts";
import { transformPoint } from "../src/math/mat4.ts";
import type { Vec3 } from "../src/math/vec3.ts";
import { type BodyPlan, bodyPlan, type PlanLeg } from "../src/motion/body-plan.ts";
import { type MotionClip, makeMotion, motionsFor } from "../src/motion/motions.ts";
import { forwardKinematics } from "../src/skeleton/pose.ts";
import { saveLines } from "./save-results.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { split: { type: "string", default: "val" } },
});

/** A foot is down within this fraction of the height above its lowest position. */
const DOWN = 0.01;
/** A longer slide is visible. */
const VISIBLE = 0.02;

/** Positions of a leg's end over a clip. */
function footPath({ skeleton }: BodyPlan, { end, foot }: PlanLeg, clip: MotionClip): Vec3[] {
  const J = skeleton.parents.length;
  return Array.from(clip.times, (_, k) => {
    const matrices = forwardKinematics(
      skeleton,
      clip.rotations.subarray(k * J * 4, (k + 1) * J * 4),
      clip.translations.subarray(k * J * 3, (k + 1) * J * 3),
    );
    return transformPoint(matrices.subarray(end.joint * 16, end.joint * 16 + 16), foot) as Vec3;
  });
}

/** How far a foot slides while it is down. */
function slideOf(plan: BodyPlan, leg: PlanLeg, clip: MotionClip): number {
  const way = footPath(plan, leg, clip);
  const ground = Math.min(...way.map(([, y]) => y));
  const isDown = ([, y]: Vec3) => y <= ground + DOWN * plan.height;
  const step = (clip.speed * clip.duration) / (clip.times.length - 1);
  let slide = 0;
  for (let k = 1; k < way.length; k++) {
    if (!isDown(way[k]) || !isDown(way[k - 1])) continue;
    const [x, , z] = [0, 1, 2].map(
      (axis) => way[k][axis] - way[k - 1][axis] + plan.front[axis] * step,
    );
    slide += Math.hypot(x, z);
  }
  return slide / plan.height;
}

const seen = new Set<string>();
const lines = ["id,kind,legs,slide,speed"];
const slides: number[] = [];
for (const { id, file } of await listCharacters(positionals, { split: values.split })) {
  const { skeleton, mesh } = (await readCharacterFile(file)).character;
  const key = skeleton.names.join("/");
  if (seen.has(key) || !motionsFor(skeleton, mesh).includes("walk")) continue;
  seen.add(key);
  const plan = bodyPlan(skeleton, mesh);
  const clip = makeMotion(skeleton, "walk", mesh)!;
  const slide = Math.max(...plan.legs.map((leg) => slideOf(plan, leg, clip)));
  slides.push(slide);
  const figures = [slide.toFixed(4), (clip.speed / plan.height).toFixed(3)];
  lines.push([path.basename(id), plan.roles.kind, plan.legs.length, ...figures].join(","));
}
saveLines("walk.csv", lines);
const visible = slides.filter((slide) => slide >= VISIBLE).length;
console.log(
  `${slides.length} skeletons walk; feet slide by ${(100 * mean(slides)).toFixed(2)} % of the height on average, by ${100 * VISIBLE} % or more on ${visible}.`,
);
