/**
 * A swinging joint: its name, axis, amplitude in degrees, phase (0 to 1) and mean angle. Rows for .L move .R in
 * step (mirrored) or, with "alternate", half a cycle later.
 */
export interface Swing {
  joints: RegExp;
  axis: "x" | "y" | "z";
  degrees: number;
  phase?: number;
  around?: number;
  /** Phase added per number in the joint's name, so that waves run along chains. */
  wave?: number;
  isAlternate?: boolean;
  /** Swings per cycle. */
  times?: number;
}

/** A short motion that loops. */
export interface SampleMotion {
  name: string;
  seconds: number;
  /** How far the root rises and sinks, in units of the sample. */
  bob: number;
  swings: Swing[];
}

/** The motion of each sample, by name. */
export const MOTIONS: Record<string, SampleMotion> = {
  dancer: {
    name: "dance",
    seconds: 2.4,
    bob: 0.015,
    swings: [
      { joints: /^spine$/, axis: "y", degrees: 14 },
      { joints: /^chest$/, axis: "z", degrees: 7, phase: 0.25 },
      { joints: /^head$/, axis: "z", degrees: 9, phase: 0.1 },
      { joints: /^upperArm/, axis: "z", degrees: 34, around: 26, isAlternate: true },
      { joints: /^upperArm/, axis: "y", degrees: 18, phase: 0.2 },
      { joints: /^lowerArm/, axis: "y", degrees: 28, around: -34, phase: 0.15, isAlternate: true },
      { joints: /^hand/, axis: "z", degrees: 22, phase: 0.3 },
      { joints: /^upperLeg/, axis: "x", degrees: 24, around: -14, isAlternate: true },
      { joints: /^lowerLeg/, axis: "x", degrees: 26, around: 28, phase: 0.75, isAlternate: true },
      { joints: /^skirt(Front|Side|Back)1/, axis: "z", degrees: 8, phase: 0.1 },
      { joints: /^skirt(Front|Back)2/, axis: "x", degrees: 10, phase: 0.3 },
      { joints: /^braid/, axis: "x", degrees: 14, wave: 0.12, phase: 0.2 },
      { joints: /^braid/, axis: "z", degrees: 12, wave: 0.12 },
    ],
  },
  fox: {
    name: "trot",
    seconds: 1.2,
    bob: 0.012,
    swings: [
      { joints: /^frontUpper/, axis: "x", degrees: 24, isAlternate: true },
      { joints: /^frontLower/, axis: "x", degrees: 18, around: 16, phase: 0.7, isAlternate: true },
      { joints: /^hindUpper/, axis: "x", degrees: 22, phase: 0.5, isAlternate: true },
      { joints: /^hindLower/, axis: "x", degrees: 16, phase: 0.3, isAlternate: true },
      { joints: /^tail/, axis: "y", degrees: 14, wave: 0.12 },
      { joints: /^spine/, axis: "y", degrees: 4 },
      { joints: /^head$/, axis: "x", degrees: 6, times: 2 },
      { joints: /^ear/, axis: "z", degrees: 8, times: 2 },
    ],
  },
  bird: {
    name: "flap",
    seconds: 1,
    bob: 0.03,
    swings: [
      { joints: /^wing1/, axis: "z", degrees: 30 },
      { joints: /^wing[234]/, axis: "z", degrees: 18, phase: -0.12 },
      { joints: /^tail$/, axis: "x", degrees: 9 },
      { joints: /^head$/, axis: "x", degrees: 7, phase: 0.5 },
      { joints: /^upperLeg/, axis: "x", degrees: 8 },
    ],
  },
  dragon: {
    name: "hover",
    seconds: 1.8,
    bob: 0.03,
    swings: [
      { joints: /^wing1/, axis: "z", degrees: 28 },
      { joints: /^(wing[23]|finger.b)/, axis: "z", degrees: 14, phase: -0.14 },
      { joints: /^tail/, axis: "y", degrees: 11, wave: 0.1 },
      { joints: /^neck/, axis: "x", degrees: 6, wave: 0.1 },
      { joints: /^jaw$/, axis: "x", degrees: 12, around: 10 },
      { joints: /^(front|hind)Upper/, axis: "x", degrees: 12, isAlternate: true },
      { joints: /^(front|hind)Lower/, axis: "x", degrees: 14, phase: 0.3, isAlternate: true },
    ],
  },
  octopus: {
    name: "wave",
    seconds: 2.4,
    bob: 0.02,
    swings: [
      { joints: /\d/, axis: "x", degrees: 13, wave: 0.13 },
      { joints: /\d/, axis: "z", degrees: 13, wave: 0.13, phase: 0.25 },
      { joints: /^mantle$/, axis: "x", degrees: 8 },
    ],
  },
  mushroom: {
    name: "walk",
    seconds: 1.2,
    bob: 0.012,
    swings: [
      { joints: /^leg/, axis: "x", degrees: 32, isAlternate: true },
      { joints: /^arm/, axis: "z", degrees: 24 },
      { joints: /^stem/, axis: "z", degrees: 6 },
      { joints: /^cap$/, axis: "z", degrees: 7, phase: 0.2 },
      { joints: /^ball$/, axis: "y", degrees: 30 },
    ],
  },
  robot: {
    name: "march",
    seconds: 1.4,
    bob: 0.01,
    swings: [
      { joints: /^upperLeg/, axis: "x", degrees: 26, isAlternate: true },
      { joints: /^lowerLeg/, axis: "x", degrees: 20, around: 20, phase: 0.75, isAlternate: true },
      { joints: /^upperArm/, axis: "x", degrees: 26, phase: 0.5, isAlternate: true },
      { joints: /^lowerArm/, axis: "x", degrees: 14, around: -20, phase: 0.5, isAlternate: true },
      { joints: /^waist$/, axis: "y", degrees: 10 },
      { joints: /^head$/, axis: "y", degrees: 16, phase: 0.25 },
      { joints: /^claw/, axis: "z", degrees: 18, times: 2 },
    ],
  },
  fish: {
    name: "swim",
    seconds: 1.2,
    bob: 0.008,
    swings: [
      { joints: /^(spine|body|tail)/i, axis: "y", degrees: 12, wave: 0.14 },
      { joints: /fin/i, axis: "z", degrees: 22, times: 2 },
      { joints: /^dorsal/, axis: "z", degrees: 8 },
      { joints: /^head$/, axis: "y", degrees: 8, phase: 0.5 },
    ],
  },
};
