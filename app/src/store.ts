import type { AdaptNotes } from "../../src/adapt/index.ts";
import type { Doubts } from "../../src/index.ts";
import type { Convention, Direction } from "../../src/parts.ts";
import type { BindOptions, Comparison } from "./bind-calls.ts";
import type { BodyFacts, OpenedCharacter, Validity } from "./file-calls.ts";
import type { KeptBind } from "./kept-bind.ts";
import type { OwnMotions } from "./motions.ts";
import type { Brush } from "./paint/brush-stroke.ts";
import type { Service, Where } from "./service.ts";

/** What the colors of the mesh show. */
export type Look = "heat" | "dominant" | "hollow" | "error" | "plain";

/** Arrangement of two sets of weights: one at a time, in two views, or on both sides of a line. */
export type Arrangement = "one" | "side" | "wipe";

/** Number of the motion that moves each joint through its range; clips of the file count from 0. */
export const STRESS_MOTION = -2;

/** Number of the first generated motion; the next is one less, and so on. */
export const OWN_MOTION = -10;

/** The chosen motion: the number of a clip, -1 for none. */
export interface Motion {
  index: number;
  seconds: number;
  isPlaying: boolean;
  /** 1 is the speed of the file. */
  speed: number;
}

/** A skeleton that is being placed by hand. */
export interface Fitting {
  /** Its template; empty for the skeleton of a file. */
  template: string;
  /** Fingers per hand of the template, 0 to 5. */
  fingers: number;
  /** Whether parts without a counterpart in the template receive joints. */
  hasChains: boolean;
  /** Naming of the joints once the skeleton is accepted. */
  names: Convention;
  /** Whether both sides move together. */
  isMirrored: boolean;
  /** Whether dropped joints snap to the middle of the body. */
  isSnapping: boolean;
  /** Resolves when all dropped joints have settled. */
  settling?: Promise<unknown> | undefined;
}

/** Settings of the brush. */
export interface BrushSettings {
  kind: Brush;
  isOn: boolean;
  /** Fraction of the character's height. */
  radius: number;
  /** 0 to 1. */
  strength: number;
  isMirrored: boolean;
  /** Whether it paints through to the other side. */
  isThrough: boolean;
}

/** State of the page; changed in place and announced with `changed`. */
export interface State {
  character?: OpenedCharacter | undefined;
  /** Names of the files it came from. */
  source: {
    file: string;
    skeleton?: string | undefined;
    /** Whether that skeleton was aligned. */
    isAligned?: boolean;
    /** Whether it is the visitor's file and not a sample. */
    isOwn?: boolean;
  };
  /** Facts about the mesh for the brush, once they have arrived. */
  facts?: BodyFacts | undefined;
  /** All weights of this character, oldest first. */
  binds: KeptBind[];
  /** Ids of the weights that are edited and saved, and of those they are compared with. */
  current: number;
  other: number;
  /** Whether the other weights are shown briefly instead of the current ones. */
  isPeeking: boolean;
  arrangement: Arrangement;
  /** Position of the wipe, 0 to 1 from the left. */
  cut: number;
  doubts?: Doubts | undefined;
  /** Whether the review of the weights failed. */
  isUnreviewed?: boolean | undefined;
  comparison?: Comparison | undefined;
  /** Result of the glTF validator for the file as it would be saved. */
  validity?: Validity | undefined;
  /** P, distance of each vertex to the selected bone. */
  field?: Float32Array | undefined;
  options: BindOptions;
  /** The service on the page's host, if there is one. */
  service?: Service | undefined;
  /** Where the visitor wants this character bound; absent = depends on its size. */
  where?: Where | undefined;
  /** Notes of the lesson whose style is active. */
  learned?: AdaptNotes | undefined;
  /** Name of the character whose style later binds of the network use. */
  learnedFrom: string;
  /** File name of that character. */
  learnedFile?: string | undefined;
  joint: number;
  /** Vertices highlighted by the list of doubts. */
  marked: number[];
  look: Look;
  /** The up axis in the view. */
  up: Direction;
  /** Opacity of the weight colors over the character's own, 0 to 1. */
  cover: number;
  isWireframe: boolean;
  hasSkeleton: boolean;
  /** J×4, manual rotations of the joints. */
  rotations: Float32Array;
  clip: Motion;
  /** Motions generated for the open character's skeleton. */
  motions?: OwnMotions | undefined;
  isDualQuaternion: boolean;
  isTurning: boolean;
  brush: BrushSettings;
  locked: Set<number>;
  /** Joints whose bones are hidden. */
  hidden: Set<number>;
  /** The joint whose surface is shown alone. */
  solo?: number | undefined;
  /** The joint under the pointer, on the surface or in the list, whose surface is highlighted. */
  hovered?: number | undefined;
  shining?: number | undefined;
  /** Options of the fitted template, as on a command line. */
  rigging?: { names?: Convention; fingers?: number; hasChains?: boolean } | undefined;
  /** The skeleton that is being placed in a mesh; its joints can be dragged. */
  fitting?: Fitting | undefined;
  /** How the accepted skeleton was placed, to return to it; undefined for a file's own skeleton. */
  fitted?: Fitting | undefined;
  /** Whether a new skeleton is being prepared. */
  isPlacing: boolean;
  /** A file with only a skeleton, waiting for its mesh. */
  waiting?: { name: string; content: Blob } | undefined;
  /** Name of the file that is being read; until then, the open one stays. */
  reading?: string | undefined;
  /** The running task; stages on the server start with `server:`. */
  busy?: { stage: string; fraction: number } | undefined;
  /** Whether the page is stored for offline use. */
  isOfflineReady?: boolean | undefined;
  /** Progress of fetching the network, 0 to 1; absent before it starts. */
  network?: { fraction: number; isReady: boolean; hasFailed: boolean } | undefined;
}

/** Parts of the state that listeners can subscribe to. */
export type Topic =
  | "character"
  | "binds"
  | "weights"
  | "doubts"
  | "comparison"
  | "field"
  | "joint"
  | "hover"
  | "shine"
  | "up"
  | "dress"
  | "look"
  | "pose"
  | "brush"
  | "options"
  | "fitting"
  | "busy";

/** The state and its listeners. */
export interface Store {
  state: State;
  on(topics: Topic[], listener: () => void): void;
  changed(...topics: Topic[]): void;
}

/** No motion. */
export function noMotion(): Motion {
  return { index: -1, seconds: 0, isPlaying: false, speed: 1 };
}

/** Initial settings for placing a skeleton. */
export function newFitting(template = ""): Fitting {
  return {
    template,
    fingers: 0,
    hasChains: true,
    names: "own",
    isMirrored: true,
    isSnapping: true,
  };
}

/** Creates a store with nothing open. */
export function createStore(options: BindOptions): Store {
  const listeners: { topics: Topic[]; listener: () => void }[] = [];
  const state: State = {
    source: { file: "" },
    binds: [],
    current: -1,
    other: -1,
    isPeeking: false,
    arrangement: "one",
    cut: 0.5,
    options,
    learnedFrom: "",
    joint: 0,
    marked: [],
    look: "heat",
    up: "y",
    cover: 1,
    isWireframe: false,
    hasSkeleton: true,
    rotations: new Float32Array(0),
    clip: noMotion(),
    isDualQuaternion: false,
    isTurning: false,
    brush: {
      kind: "add",
      isOn: false,
      radius: 0.06,
      strength: 0.3,
      isMirrored: false,
      isThrough: false,
    },
    locked: new Set(),
    hidden: new Set(),
    isPlacing: false,
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
