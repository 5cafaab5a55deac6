import type { AdaptNotes } from "../../src/adapt/index.ts";
import type { OutputFormat } from "../../src/io/index.ts";
import { ENDINGS, endingOf, MESH_ENDINGS, RIGGED_ENDINGS } from "../../src/io/index.ts";
import { VisitorError } from "./call-worker.ts";
import type { Engine } from "./engine.ts";
import type { OpenedCharacter, PickedFile } from "./file-worker.ts";
import { copyWeights, createHistory, type History } from "./paint/history.ts";
import { restRotations } from "./pose-matrices.ts";
import type { Store } from "./store.ts";

/** What a visitor can make the page do; problems end in `alert`, and the page goes on. */
export interface Actions {
  openFiles(files: PickedFile[]): Promise<void>;
  openSample(name: string): Promise<void>;
  /** Binds with the options of the panel. */
  bind(): Promise<void>;
  /** Learns from a rigged character, and binds in its style; what was before can be compared. */
  teach(files: PickedFile[]): Promise<AdaptNotes | undefined>;
  /** Binds without what was learned. */
  forget(): Promise<void>;
  cancel(): void;
  /** Finds what depends on the weights: doubts, and how they compare with the file's. */
  review(): Promise<void>;
  /** Measures the distances of the selected joint, if they are to be seen. */
  measureField(): Promise<void>;
  save(format: OutputFormat): Promise<Uint8Array<ArrayBuffer> | undefined>;
  history: History;
}

/** The ending of files that can hold a skeleton but no mesh that is meant. */
const SKELETON_ENDING = ".txt";

/** Ties the store to the engine. */
export function createActions(
  store: Store,
  engine: Engine,
  alert: (sentence: string) => void,
): Actions {
  const { state } = store;
  const history = createHistory();
  /** Counts what was asked, so that a late answer to an old question is dropped. */
  let asked = 0;

  const tell = (error: unknown) => {
    if (error instanceof VisitorError) {
      if (error.message !== "Cancelled.") alert(error.message);
      return;
    }
    const reason = error instanceof Error ? error.message : String(error);
    alert(`Something went wrong: ${reason} You can go on; try again, or another method.`);
  };
  const busy = (stage?: string, fraction = 0) => {
    state.busy = stage === undefined ? undefined : { stage, fraction };
    store.changed("busy");
  };

  /** Ends what runs; its late answers are dropped. */
  const stop = () => {
    asked++;
    if (!state.busy) return;
    engine.cancel();
    void engine.warm(() => {}).catch(tell);
  };

  async function show(open: () => Promise<OpenedCharacter>, source: typeof state.source) {
    stop();
    busy("read");
    try {
      const character = await open();
      const artist = character.prepared.character.weights;
      Object.assign(state, {
        character,
        source,
        weights: artist && copyWeights(artist),
        before: artist && { weights: artist, name: "the file's" },
        binding: undefined,
        isPainted: false,
        doubts: undefined,
        comparison: undefined,
        field: undefined,
        joint: firstJoint(character),
        marked: [],
        shown: "after",
        look: state.look === "error" ? "heat" : state.look,
        rotations: restRotations(character.prepared.character.skeleton.parents.length),
        clip: { index: -1, seconds: 0, isPlaying: false },
        locked: new Set(),
      });
      history.clear();
      busy();
      store.changed(
        "character",
        "weights",
        "doubts",
        "comparison",
        "joint",
        "look",
        "pose",
        "brush",
      );
    } catch (error) {
      busy();
      tell(error);
      return;
    }
    await bind();
  }

  async function bind() {
    if (!state.character) return;
    stop();
    const turn = ++asked;
    const options = { ...state.options };
    busy("prepare");
    try {
      const result = await engine.bind(
        (stage, fraction) => turn === asked && busy(stage, fraction),
      );
      if (turn !== asked) return;
      const artist = state.character.prepared.character.weights;
      if (!artist && state.weights && state.binding) {
        state.before = { weights: state.weights, name: state.binding.options.method };
      }
      state.weights = result.weights;
      state.binding = {
        result,
        options,
        milliseconds: workingTime(result.timings),
      };
      state.isPainted = false;
      history.clear();
      busy();
      store.changed("weights", "look");
    } catch (error) {
      if (turn === asked) busy();
      tell(error);
      return;
    }
    await Promise.all([review(), measureField()]);
  }

  async function teach(files: PickedFile[]): Promise<AdaptNotes | undefined> {
    stop();
    const turn = ++asked;
    busy("examples");
    try {
      const notes = await engine.teach(
        files,
        (stage, fraction) => turn === asked && busy(stage, fraction),
      );
      busy();
      const before = state.binding && state.weights;
      await bind();
      if (before && state.weights !== before) {
        state.before = { weights: before, name: "the network's earlier" };
        store.changed("look");
      }
      return notes;
    } catch (error) {
      if (turn === asked) busy();
      tell(error);
      return undefined;
    }
  }

  async function review() {
    const { binding, weights, character } = state;
    if (!binding || !weights || !character) return;
    try {
      const doubts = await engine.review();
      const artist = character.prepared.character.weights;
      const comparison = artist ? await engine.compare() : undefined;
      if (state.weights !== weights) return;
      state.doubts = doubts;
      state.comparison = comparison;
      store.changed("doubts", "comparison");
    } catch (error) {
      tell(error);
    }
  }

  async function measureField() {
    if (state.look !== "hollow" || !state.character || state.busy) return;
    const { joint, character } = state;
    try {
      const field = await engine.field();
      if (state.joint !== joint || state.character !== character) return;
      state.field = field;
      store.changed("field");
    } catch (error) {
      tell(error);
    }
  }

  store.on(["joint", "look"], () => void measureField());
  return {
    history,
    bind,
    teach,
    async forget() {
      engine.forget();
      await bind();
    },
    review,
    measureField,
    openSample: (name) => show(() => engine.openSample(name), { file: `${name}.glb` }),
    openFiles(files) {
      const { main, skeleton } = sortFiles(files);
      const name = main.find(({ name }) => ENDINGS.includes(endingOf(name)));
      const source = {
        file: name?.name ?? files[0]?.name ?? "",
        ...(skeleton ? { skeleton: skeleton.name } : {}),
      };
      return show(() => engine.open(main, skeleton), source);
    },
    cancel() {
      stop();
      busy();
    },
    async save(format) {
      try {
        return await engine.write(format);
      } catch (error) {
        tell(error);
        return undefined;
      }
    },
  };
}

/** Among files dropped together, the one that gives the skeleton: a text, or the second of two characters. */
export function sortFiles<T extends { name: string }>(files: T[]): { main: T[]; skeleton?: T } {
  const text = files.find(({ name }) => endingOf(name) === SKELETON_ENDING);
  const mesh = files.find(({ name }) => MESH_ENDINGS.includes(endingOf(name)));
  const other = mesh && files.find(({ name }) => RIGGED_ENDINGS.includes(endingOf(name)));
  const skeleton = text ?? other;
  if (!skeleton) return { main: files };
  return { main: files.filter((file) => file !== skeleton), skeleton };
}

/** Milliseconds of all stages but the wait for the network to arrive. */
function workingTime({ download: _, ...stages }: Record<string, number>): number {
  return Object.values(stages).reduce((sum, ms) => sum + ms, 0);
}

/** The joint to begin with: one that holds a good part of the body, not the root. */
function firstJoint({ prepared }: OpenedCharacter): number {
  const { skeleton } = prepared.character;
  const wanted = /(left|l[_. ]|[_. ]l$).*(arm|leg|wing)|upper.?arm|thigh|wing|tail|tentacle|spine/i;
  const found = skeleton.names.findIndex((name) => wanted.test(name));
  return found >= 0 ? found : Math.min(1, skeleton.names.length - 1);
}
