import type { Character } from "../src/character/character.ts";
import { power } from "../src/math/power.ts";
import {
  type BodyPart,
  chainShares,
  limb,
  pair,
  rigid,
  smoothStep,
  type Weigh,
} from "./body-part.ts";
import { type JointRow, type Rig, rigFrom } from "./rig.ts";
import { ringMesh } from "./ring-mesh.ts";
import { type Shell, sculpt } from "./sculpt.ts";
import { ball, ellipsoid, smoothDifference, stretched } from "./signed-distance.ts";

/**
 * A dancer with a skirt and two braids, whose bones are outside the body; 45 joints, with separate parts for body,
 * skirt, hair and each braid.
 */
export function makeDancer(): Character {
  const rig = dancerRig();
  return sculpt("dancer", rig, [bodyShell(rig), skirtShell(), hairShell(), ...braidShells(rig)]);
}

function bodyShell(rig: Rig): Shell {
  const torso = limb(
    rig,
    ["hips", "spine", "chest", "neck", "head"],
    [0.082, 0.066, 0.078, 0.034, 0.034],
    { steps: 4 },
  );
  const skull = rigid("head", ellipsoid([0, 0.888, 0.012], [0.079, 0.094, 0.086]));
  const nose = rigid("head", ball([0, 0.872, 0.097], 0.013));
  const ear = rigid("head", ellipsoid([0.079, 0.88, 0.005], [0.013, 0.024, 0.017]));
  const arm = limb(
    rig,
    ["shoulder.L", "upperArm.L", "lowerArm.L", "hand.L"],
    [0.034, 0.034, 0.027, 0.022, 0.024],
    { tip: [0.034, -0.034, 0.004] },
  );
  const leg = limb(
    rig,
    ["upperLeg.L", "lowerLeg.L", "foot.L", "toe.L"],
    [0.066, 0.046, 0.03, 0.026, 0.02],
    { tip: [0.004, -0.002, 0.035] },
  );
  const heel = rigid("foot.L", ball([0.078, 0.026, -0.012], 0.026));
  return {
    parts: [
      { ...torso, distance: stretched(torso.distance, [0, 0.6, 0], [1.1, 1, 0.82]) },
      skull,
      nose,
      ...pair(ear),
      ...pair(arm),
      ...handParts(rig),
      ...pair(leg),
      ...pair(heel),
    ],
    cell: 0.0165,
    blend: 0.028,
    box: { min: [-0.43, 0, -0.1], max: [0.43, 1, 0.13] },
  };
}

function handParts(rig: Rig): BodyPart[] {
  const palm = rigid("hand.L", ellipsoid([0.336, 0.484, 0.012], [0.026, 0.03, 0.03]));
  const thumb = limb(rig, ["thumb.L"], [0.0185, 0.0165], { tip: [0.006, -0.012, 0.042] });
  const index = limb(rig, ["index.L"], [0.0185, 0.0165], { tip: [0.034, -0.044, 0.008] });
  const ring = limb(rig, ["ring.L"], [0.0185, 0.0165], { tip: [0.034, -0.046, -0.01] });
  return [palm, thumb, index, ring].flatMap(pair);
}

const SKIRT = { top: 0.54, bottom: 0.27, narrow: 0.092, wide: 0.235, thickness: 0.012, folds: 9 };

/** Directions of the six chains of the skirt by name: angle from the front to the character's left. */
const SKIRT_ANGLES: [string, number][] = [
  ["skirtFront.L", 30],
  ["skirtSide.L", 90],
  ["skirtBack.L", 150],
];

/** A bell of cloth whose folds deepen towards the hem: two layers, joined at the waist and at the hem. */
function skirtShell(): Shell {
  const { top, bottom, thickness, folds } = SKIRT;
  const [around, down] = [54, 7];
  // Down the outer layer, up the inner one; their first and last rows are not duplicated.
  const rows = [
    ...Array.from({ length: down + 1 }, (_, i) => ({ share: i / down, out: 1 })),
    ...Array.from({ length: down + 1 }, (_, i) => ({ share: 1 - i / down, out: -1 })),
  ];
  const mesh = ringMesh(rows.length, around, (row, angle) => {
    const { share, out } = rows[row];
    const fold = 0.016 * share * Math.cos(folds * angle);
    const radius = skirtRadius(share) + fold + (out * thickness) / 2;
    const y = top + (bottom - top) * share + out * 0.2 * thickness;
    return [radius * Math.sin(angle), y, radius * Math.cos(angle)];
  });
  return { mesh, weigh: skirtWeights() };
}

/** The radius of the skirt at a fraction 0..1 of its height from the waist, without the folds. */
function skirtRadius(share: number): number {
  return SKIRT.narrow + (SKIRT.wide - SKIRT.narrow) * power(share, 0.8);
}

/** Around the body the two nearest chains share; downwards a chain acts like a limb; the waistband is the hips'. */
function skirtWeights(): Weigh {
  const { top, bottom } = SKIRT;
  const chains = SKIRT_ANGLES.flatMap(([name, degrees]) => [
    { name, angle: (degrees * Math.PI) / 180 },
    { name: name.replace(".L", ".R"), angle: (-degrees * Math.PI) / 180 },
  ]);
  return (p, give) => {
    const angle = Math.atan2(p[0], p[2]);
    const down = (top - p[1]) / (top - bottom);
    const [first, second] = chainShares(Math.max(0, down), [0, 0.6], [0.3, 0.25]);
    const hips = 1 - smoothStep(down / 0.45);
    for (const chain of chains) {
      const apart = Math.abs(
        Math.atan2(Math.sin(angle - chain.angle), Math.cos(angle - chain.angle)),
      );
      const share = smoothStep(1 - apart / (Math.PI / 3)) * (1 - hips);
      const [base, side] = chain.name.split(".");
      give(`${base}1.${side}`, share * first);
      give(`${base}2.${side}`, share * second);
    }
    give("hips", hips);
  };
}

function hairShell(): Shell {
  const cap = ellipsoid([0, 0.905, -0.012], [0.1, 0.1, 0.105]);
  const fringe = ellipsoid([0, 0.963, 0.052], [0.068, 0.032, 0.046]);
  const face = ellipsoid([0, 0.85, 0.098], [0.08, 0.098, 0.1]);
  const below = ball([0, 0.745, 0], 0.1);
  return {
    parts: [rigid("head", cap)],
    cell: 0.0185,
    blend: 0,
    box: { min: [-0.12, 0.78, -0.14], max: [0.12, 1.03, 0.12] },
    carve: (solid) => {
      const open = smoothDifference(solid, face, 0.03);
      const cut = smoothDifference(open, below, 0.02);
      return (x, y, z) => Math.min(cut(x, y, z), fringe(x, y, z));
    },
  };
}

function braidShells(rig: Rig): Shell[] {
  const braid = limb(rig, ["braid1.L", "braid2.L", "braid3.L"], [0.03, 0.03, 0.028, 0.02], {
    tip: [0.006, -0.1, 0.01],
    steps: 8,
    radius: (share) => (0.03 - 0.008 * share) * (1 + 0.2 * Math.cos(share * 9 * Math.PI)),
  });
  const box = { min: [0.06, 0.5, -0.12], max: [0.24, 0.92, 0.06] };
  return pair(braid).map((part, i) => ({
    parts: [part],
    cell: 0.0165,
    blend: 0,
    box: i === 0 ? box : { min: [-0.24, 0.5, -0.12], max: [-0.06, 0.92, 0.06] },
  }));
}

function dancerRig(): Rig {
  return rigFrom([
    ["hips", "", [0, 0.52, 0]],
    ["spine", "hips", [0, 0.6, 0]],
    ["chest", "spine", [0, 0.68, 0]],
    ["neck", "chest", [0, 0.765, 0]],
    ["head", "neck", [0, 0.82, 0.005]],
    ["shoulder.L", "chest", [0.03, 0.735, 0]],
    ["upperArm.L", "shoulder.L", [0.1, 0.73, 0]],
    ["lowerArm.L", "upperArm.L", [0.211, 0.616, -0.006]],
    ["hand.L", "lowerArm.L", [0.314, 0.51, 0.006]],
    ["thumb.L", "hand.L", [0.326, 0.498, 0.034]],
    ["index.L", "hand.L", [0.348, 0.468, 0.032]],
    ["ring.L", "hand.L", [0.348, 0.466, -0.012]],
    ["upperLeg.L", "hips", [0.062, 0.485, 0]],
    ["lowerLeg.L", "upperLeg.L", [0.07, 0.27, 0.004]],
    ["foot.L", "lowerLeg.L", [0.077, 0.06, -0.006]],
    ["toe.L", "foot.L", [0.082, 0.025, 0.055]],
    ["braid1.L", "head", [0.1, 0.88, -0.03]],
    ["braid2.L", "braid1.L", [0.14, 0.78, -0.045]],
    ["braid3.L", "braid2.L", [0.15, 0.67, -0.04]],
    ...SKIRT_ANGLES.flatMap(([name, degrees]): JointRow[] => {
      const upper = name.replace(".", "1.");
      return [
        [upper, "hips", skirtPlace(degrees, 0.25)],
        [name.replace(".", "2."), upper, skirtPlace(degrees, 0.6)],
      ];
    }),
  ]);
}

function skirtPlace(degrees: number, share: number): [number, number, number] {
  const angle = (degrees * Math.PI) / 180;
  const radius = skirtRadius(share);
  const y = SKIRT.top + (SKIRT.bottom - SKIRT.top) * share;
  return [radius * Math.sin(angle), y, radius * Math.cos(angle)];
}
