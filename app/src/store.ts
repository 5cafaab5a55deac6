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

/** How two sets of weights are shown: one at a time, in two views, or on both sides of a line. */
export type Arrangement = "one" | "side" | "wipe";

/** The number of the motion that turns each joint through its range, beside the clips of the file. */
export const STRESS_MOTION = -2;

/** The first motion that the page makes for a skeleton; the next is one less, and so on. */
export const OWN_MOTION = -10;

/** What moves the character: a clip by its number, -1 for none. */
export interface Motion {
  index: number;
  seconds: number;
  isPlaying: boolean;
  /** 1 is as fast as the file says. */
  speed: number;
}

/** How a skeleton is put into a mesh by hand. */
export interface Fitting {
  /** The template it was made of; empty for the skeleton of a file. */
  template: string;
  /** Fingers of a hand of the template, 0 to 5. */
  fingers: number;
  /** Whether parts that the template has no bones for get joints. */
  hasChains: boolean;
  /** How the joints are named once it is accepted. */
  names: Convention;
  /** Whether both sides are moved together. */
  isMirrored: boolean;
  /** Whether joints that are let go of go to the middle of the body. */
  isSnapping: boolean;
  /** Ends when all joints that were let go of are there. */
  settling?: Promise<unknown> | undefined;
}

/** How the brush paints. */
export interface BrushSettings {
  kind: Brush;
  isOn: boolean;
  /** In heights of the character. */
  radius: number;
  /** 0 to 1. */
  strength: number;
  isMirrored: boolean;
  /** Whether it reaches what lies behind, too. */
  isThrough: boolean;
}

/** All that the page knows; changed in place, and announced with `changed`. */
export interface State {
  character?: OpenedCharacter | undefined;
  /** Names of the files it came from. */
  source: {
    file: string;
    skeleton?: string | undefined;
    /** Whether that skeleton was moved to where it fits. */
    isAligned?: boolean;
    /** Whether it is a file of the visitor, and no sample. */
    isOwn?: boolean;
  };
  /** The brush's knowledge of the mesh, once it is here. */
  facts?: BodyFacts | undefined;
  /** All weights there are of this character, oldest first. */
  binds: KeptBind[];
  /** The one that is worked on and saved, and the one it is compared with, by `id`. */
  current: number;
  other: number;
  /** Whether the one compared with is shown for a moment in place of the current one. */
  isPeeking: boolean;
  arrangement: Arrangement;
  /** Where the wipe is cut, 0 to 1 from the left. */
  cut: number;
  doubts?: Doubts | undefined;
  /** Whether the weights could not be looked over. */
  isUnreviewed?: boolean | undefined;
  comparison?: Comparison | undefined;
  /** What a validator says of the file as it would be saved. */
  validity?: Validity | undefined;
  /** P, distance of each vertex to the selected bone. */
  field?: Float32Array | undefined;
  options: BindOptions;
  /** The service beside the page, where there is one. */
  service?: Service | undefined;
  /** Where the visitor wants this character bound; absent = by its size. */
  where?: Where | undefined;
  /** What a lesson brought, until it is forgotten. */
  learned?: AdaptNotes | undefined;
  /** Whose style later bindings of the network have. */
  learnedFrom: string;
  /** The file of that character. */
  learnedFile?: string | undefined;
  joint: number;
  /** Vertices pointed out by the list of doubts. */
  marked: number[];
  look: Look;
  /** What is up in the view. */
  up: Direction;
  /** How much of the weights' colors covers the character's own, 0 to 1. */
  cover: number;
  isWireframe: boolean;
  hasSkeleton: boolean;
  /** J×4 turns of the joints by hand. */
  rotations: Float32Array;
  clip: Motion;
  /** Motions for the open character's skeleton. */
  motions?: OwnMotions | undefined;
  isDualQuaternion: boolean;
  isTurning: boolean;
  brush: BrushSettings;
  locked: Set<number>;
  /** Joints whose bones are not drawn. */
  hidden: Set<number>;
  /** The joint whose part of the surface is shown alone. */
  solo?: number | undefined;
  /** The joint that the pointer is over: on the surface, or in the list, where its surface shines. */
  hovered?: number | undefined;
  shining?: number | undefined;
  /** Options of a template that was put in, as a command line has them. */
  rigging?: { names?: Convention; fingers?: number; hasChains?: boolean } | undefined;
  /** A skeleton that is being put into a mesh without one; its joints can be dragged. */
  fitting?: Fitting | undefined;
  /** How the skeleton that was accepted was put in, to go back to it; nothing for a file's own skeleton. */
  fitted?: Fitting | undefined;
  /** Whether a skeleton is on its way into the mesh. */
  isPlacing: boolean;
  /** A file that has a skeleton only, waiting for its mesh. */
  waiting?: { name: string; content: Blob } | undefined;
  /** A file that is being read; what is open stays as it is until then. */
  reading?: string | undefined;
  /** What is being done; stages on the server begin with `server:`. */
  busy?: { stage: string; fraction: number } | undefined;
  /** Whether the browser has kept all of the page. */
  isOfflineReady?: boolean | undefined;
  /** How far the network is on its way, 0 to 1; absent before it starts. */
  network?: { fraction: number; isReady: boolean; hasFailed: boolean } | undefined;
}

/** A part of the state that listeners wait for. */
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

/** What moves nothing. */
export function noMotion(): Motion {
  return { index: -1, seconds: 0, isPlaying: false, speed: 1 };
}

/** How a skeleton is put in at first. */
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

/** Starts with nothing open. */
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
