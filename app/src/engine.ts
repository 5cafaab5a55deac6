import type { AdaptNotes } from "../../src/adapt/index.ts";
import type { Doubts } from "../../src/index.ts";
import type { OutputFormat } from "../../src/io/index.ts";
import type { BindCalls, Binding, Comparison } from "./bind-worker.ts";
import { connectWorker, VisitorError, type WorkerClient } from "./call-worker.ts";
import type { FileCalls, OpenedCharacter, PickedFile } from "./file-worker.ts";
import type { State } from "./store.ts";

/** What works behind the page: a worker that knows files and one that binds, replaced when it is stopped. */
export interface Engine {
  open(files: PickedFile[], skeleton?: PickedFile): Promise<OpenedCharacter>;
  openSample(name: string): Promise<OpenedCharacter>;
  write(format: OutputFormat): Promise<Uint8Array<ArrayBuffer>>;
  /** Fetches runtime and model; to be called first, and again after `cancel`. */
  warm(report: (stage: string, fraction: number) => void): Promise<void>;
  bind(report: (stage: string, fraction: number) => void): Promise<Binding>;
  /** Learns from a rigged character; later bindings have its style until `forget`. */
  teach(
    files: PickedFile[],
    report: (stage: string, fraction: number) => void,
  ): Promise<AdaptNotes>;
  forget(): void;
  review(): Promise<Doubts>;
  compare(): Promise<Comparison>;
  field(): Promise<Float32Array>;
  /** Stops whatever runs; what was asked fails with {@link VisitorError}. */
  cancel(): void;
}

/** Starts both workers. */
export function createEngine(state: State): Engine {
  const files: WorkerClient<FileCalls> = connectWorker(
    new Worker(new URL("./file-worker.ts", import.meta.url), { type: "module" }),
  );
  let binder = startBinder();
  /** The character that the bind worker has. */
  let known: OpenedCharacter | undefined;
  /** The model after it was taught, here as well since the worker may be replaced. */
  let style: Uint8Array | undefined;
  let knownStyle: Uint8Array | undefined;

  const give = async () => {
    if (knownStyle !== style) {
      knownStyle = style;
      await binder.call("setStyle", { model: style });
    }
    if (known === state.character || !state.character) return;
    known = state.character;
    await binder.call("setCharacter", state.character.prepared);
  };
  const warm: Engine["warm"] = async (report) => {
    const base = document.baseURI;
    await binder.call("warm", { base, provider: state.options.provider }, { report });
  };
  const weights = () => {
    if (!state.weights)
      throw new VisitorError("There are no weights yet; bind the character first.");
    return state.weights;
  };
  return {
    open: (picked, skeleton) =>
      files.call("open", { files: picked, ...(skeleton ? { skeleton } : {}) }),
    openSample: (name) => files.call("openSample", { name }),
    write: (format) =>
      files.call("write", { weights: weights(), maxInfluences: weights().influences, format }),
    warm,
    async bind(report) {
      await give();
      return binder.call("bind", state.options, { report });
    },
    async teach(picked, report) {
      const example = await files.call("readExample", { files: picked });
      const { model, notes } = await binder.call("teach", { example }, { report });
      style = model;
      return notes;
    },
    forget() {
      style = undefined;
    },
    async review() {
      await give();
      return binder.call("review", { weights: weights() });
    },
    async compare() {
      await give();
      return binder.call("compare", { weights: weights() });
    },
    async field() {
      await give();
      return binder.call("field", { joint: state.joint });
    },
    cancel() {
      binder.stop("Cancelled.");
      binder = startBinder();
      known = undefined;
      knownStyle = undefined;
    },
  };
}

function startBinder(): WorkerClient<BindCalls> {
  return connectWorker(
    new Worker(new URL("./bind-worker.ts", import.meta.url), { type: "module" }),
  );
}
