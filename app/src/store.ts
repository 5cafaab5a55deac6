import type { Doubts, SkinWeights } from "../../src/index.ts";
import type { Binding, BindOptions, Comparison } from "./bind-worker.ts";
import type { OpenedCharacter } from "./file-worker.ts";
import type { Brush } from "./paint/brush-stroke.ts";

/** What the colours of the mesh show. */
export type Look = "heat" | "dominant" | "hollow" | "error" | "plain";

/** How a character's two sets of weights are shown. */
export type Shown = "after" | "before" | "split";

/** All that the page knows; changed in place, and announced with `changed`. */
export interface State {
  character?: OpenedCharacter | undefined;
  /** Names of the files it came from, for the command line. */
  source: { file: string; skeleton?: string };
  /** P rows, of the welded vertices. */
  weights?: SkinWeights | undefined;
  /** What the weights are compared with. */
  before?: { weights: SkinWeights; name: string } | undefined;
  /** The latest binding, with what the worker took for it; waiting for the network does not count. */
  binding?: { result: Binding; options: BindOptions; milliseconds: number } | undefined;
  isPainted: boolean;
  doubts?: Doubts | undefined;
  comparison?: Comparison | undefined;
  /** P, distance of each vertex to the selected bone. */
  field?: Float32Array | undefined;
  options: BindOptions;
  joint: number;
  /** Vertices pointed out by the list of doubts. */
  marked: number[];
  look: Look;
  shown: Shown;
  /** Where the split view is cut, 0 to 1 from the left. */
  cut: number;
  isWireframe: boolean;
  hasSkeleton: boolean;
  /** J×4 turns of the joints by hand. */
  rotations: Float32Array;
  clip: { index: number; seconds: number; isPlaying: boolean };
  isDualQuaternion: boolean;
  isTurning: boolean;
  brush: { kind: Brush; isOn: boolean; radius: number; strength: number; isMirrored: boolean };
  locked: Set<number>;
  busy?: { stage: string; fraction: number } | undefined;
}

/** A part of the state that listeners wait for. */
export type Topic =
  | "character"
  | "weights"
  | "doubts"
  | "comparison"
  | "field"
  | "joint"
  | "look"
  | "pose"
  | "brush"
  | "options"
  | "busy";

/** The state and its listeners. */
export interface Store {
  state: State;
  on(topics: Topic[], listener: () => void): void;
  changed(...topics: Topic[]): void;
}

/** Starts with nothing open. */
export function createStore(options: BindOptions): Store {
  const listeners: { topics: Topic[]; listener: () => void }[] = [];
  const state: State = {
    source: { file: "" },
    isPainted: false,
    options,
    joint: 0,
    marked: [],
    look: "heat",
    shown: "after",
    cut: 0.5,
    isWireframe: false,
    hasSkeleton: true,
    rotations: new Float32Array(0),
    clip: { index: -1, seconds: 0, isPlaying: false },
    isDualQuaternion: false,
    isTurning: false,
    brush: { kind: "add", isOn: false, radius: 0.06, strength: 0.3, isMirrored: false },
    locked: new Set(),
  };
  return {
    state,
    on: (topics, listener) => {
      listeners.push({ topics, listener });
    },
    changed: (...topics) => {
      for (const { topics: wanted, listener } of listeners) {
        if (wanted.some((topic) => topics.includes(topic))) listener();
      }
    },
  };
}
