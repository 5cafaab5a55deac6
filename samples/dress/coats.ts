import type { Material } from "./pattern.ts";

/** A ball for an eye or a button: the joint it follows, its position, its radius and color. */
export interface Bead {
  joint: string;
  position: [number, number, number];
  radius: number;
  color: string;
}

/** Colors of a sample. */
export interface Coat {
  material: Material;
  /** Tiles of the pattern per unit of length. */
  tiles: number;
  /** The color at a point, by its heaviest joint. */
  color(joint: string, x: number, y: number, z: number): string;
  beads: Bead[];
}

/** An eye on each side, dark with a light spot. */
function eyes(joint: string, [x, y, z]: [number, number, number], radius: number): Bead[] {
  return [1, -1].flatMap((side): Bead[] => [
    { joint, position: [side * x, y, z], radius, color: "#16181f" },
    {
      joint,
      position: [side * x + 0.3 * radius, y + 0.4 * radius, z + 0.72 * radius],
      radius: 0.35 * radius,
      color: "#ffffff",
    },
  ]);
}

/** Whether a point of the head is outside the skull and therefore hair. */
function isHair(x: number, y: number, z: number): boolean {
  const out = (x / 0.079) ** 2 + ((y - 0.888) / 0.094) ** 2 + ((z - 0.012) / 0.086) ** 2;
  const isNose = Math.abs(x) < 0.022 && z > 0.08 && y < 0.9;
  const isEar = Math.abs(x) > 0.072 && y < 0.91 && y > 0.845 && z > -0.02;
  return out > 1.2 && y > 0.8 && !isNose && !isEar;
}

/** The coats of all samples by name. */
export const COATS: Record<string, Coat> = {
  dancer: {
    material: "cloth",
    tiles: 5,
    color(joint, x, y, z) {
      if (joint.startsWith("skirt")) return y < 0.315 ? "#f3c14b" : "#c93b5e";
      if (joint.startsWith("braid")) return y < 0.6 ? "#f3c14b" : "#5b2f1c";
      if (/^(head|neck)/.test(joint)) return isHair(x, y, z) ? "#5b2f1c" : "#f0b793";
      if (/^(foot|toe)/.test(joint)) return "#8f2743";
      if (/^(upperLeg|lowerLeg)/.test(joint)) return y > 0.44 ? "#c93b5e" : "#f0b793";
      if (/^(hips|spine|chest|shoulder)/.test(joint)) return y > 0.74 ? "#f0b793" : "#c93b5e";
      return "#f0b793";
    },
    beads: eyes("head", [0.031, 0.897, 0.089], 0.0125),
  },
  fox: {
    material: "fur",
    tiles: 3,
    color(joint, _x, y, z) {
      if (joint === "tail4" && y > 0.6) return "#fdf6ec";
      if (/^(frontFoot|frontToe|hindFoot|hindToe)/.test(joint)) return "#2e2320";
      if (/^(snout|jaw)/.test(joint)) return z > 0.61 ? "#241c1a" : "#fdf3e4";
      if (/^ear/.test(joint) && y > 0.83) return "#2e2320";
      return y < 0.46 && z > -0.4 && !/Upper|Lower/.test(joint) ? "#fbe9d3" : "#e2752b";
    },
    beads: eyes("head", [0.062, 0.74, 0.497], 0.017),
  },
  bird: {
    material: "feathers",
    tiles: 4,
    color(joint, x, _y, z) {
      if (/^(beak|jaw)/.test(joint)) return "#f2a33a";
      if (/Leg|foot/i.test(joint)) return "#d98b2b";
      if (/^(wing4|feathers3)/.test(joint)) return "#1d2d5c";
      if (/^(wing|feathers|tail)/.test(joint))
        return Math.abs(x) > 0.4 || z < -0.3 ? "#2a4a94" : "#3f74c8";
      return z > 0.05 && joint === "chest" ? "#f6ead2" : "#3f74c8";
    },
    beads: eyes("head", [0.058, 0.655, 0.245], 0.014),
  },
  dragon: {
    material: "scales",
    tiles: 5,
    color(joint, _x, y, z) {
      if (/^horn|Toe/.test(joint)) return "#efe2c0";
      if (/^(wing|finger)/.test(joint)) return "#b3452f";
      if (/^(frontFoot|hindFoot)/.test(joint)) return "#3c6b3a";
      const belly = 0.43 + Math.max(0, z - 0.1) * 0.6;
      return y < belly && /^(hips|spine|chest|neck)/.test(joint) ? "#e7d48a" : "#4d9a4b";
    },
    beads: eyes("head", [0.052, 0.875, 0.555], 0.015),
  },
  octopus: {
    material: "slime",
    tiles: 4,
    color(joint, x, y, z) {
      if (/^(body|head|mantle)/.test(joint)) return y > 0.55 ? "#a03fb5" : "#b95acb";
      return Math.hypot(x, z) > 0.4 ? "#f2a7d8" : "#c76ad0";
    },
    beads: eyes("head", [0.075, 0.46, 0.125], 0.03),
  },
  mushroom: {
    material: "slime",
    tiles: 3,
    color(joint, x, y, z) {
      if (joint === "ball") return "#f5c542";
      if (/^(foot)/.test(joint)) return "#7a5233";
      if (/^(cap)/.test(joint) && y > 0.52) {
        const spot = Math.cos(9 * Math.atan2(z, x)) * Math.cos(22 * y);
        return spot > 0.55 ? "#fff5e6" : "#d13a34";
      }
      return "#f4e3c8";
    },
    beads: eyes("stem2", [0.052, 0.35, 0.146], 0.013),
  },
  robot: {
    material: "metal",
    tiles: 3,
    color(joint) {
      if (/^(core|eye)/.test(joint)) return "#4ff0e0";
      if (/^(antenna|claw)/.test(joint)) return "#ff8a3c";
      return /^(chest|head|upper|foot)/.test(joint) ? "#e8edf2" : "#5d6b80";
    },
    beads: [],
  },
  fish: {
    material: "scales",
    tiles: 5,
    color(joint, _x, y, z) {
      if (/fin|tail|dorsal/i.test(joint)) return "#f6b13d";
      if (y < 0.2) return "#fff0d8";
      const stripe = Math.abs(((z + 0.5) * 4) % 1) < 0.3;
      return stripe && z < 0.25 ? "#fff7ea" : "#f0722d";
    },
    beads: eyes("head", [0.085, 0.34, 0.3], 0.022),
  },
};
