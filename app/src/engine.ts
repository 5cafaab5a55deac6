import type { AdaptNotes } from "../../src/adapt/index.ts";
import type { Doubts, SkinWeights } from "../../src/index.ts";
import type { BindCalls, Binding, Comparison } from "./bind-calls.ts";
import { bindOnServer } from "./bind-on-server.ts";
import { connectWorker, VisitorError, type WorkerClient } from "./call-worker.ts";
import type { FileCalls, OpenedCharacter, OpenedFile, PickedFile } from "./file-calls.ts";
import { storedToken } from "./service.ts";
import type { State } from "./store.ts";
import { megabytes } from "./ui/words.ts";

type Report = (stage: string, fraction: number) => void;

/** A file that was read, by a worker of its own; nothing has changed yet. */
export interface ReadFile {
  opened: OpenedFile;
  /** Makes it the open file; what was open is let go of. */
  take(): void;
  /** Forgets it. */
  drop(): void;
}

/** What works behind the page: a worker for each file, and one that binds, replaced when it is stopped. */
export interface Engine {
  /** Reads a file beside the open one; a file that is being read is given up at once. */
  read(files: PickedFile[], skeleton?: PickedFile): Promise<ReadFile>;
  readSample(name: string): Promise<ReadFile>;
  stopReading(): void;
  /** The worker that has the open file. */
  file(): WorkerClient<FileCalls>;
  /** Fetches runtime and model; to be called first, and again after `cancel`. */
  warm(report: Report): Promise<void>;
  bind(report: Report): Promise<Binding>;
  /** The same on the page's own host. */
  bindRemotely(report: Report): Promise<Binding>;
  /** Learns from a rigged character; later bindings have its style until `forget`. */
  teach(files: PickedFile[], report: Report): Promise<AdaptNotes>;
  forget(): void;
  review(weights: SkinWeights, isLatest: boolean): Promise<Doubts>;
  compare(weights: SkinWeights): Promise<Comparison>;
  refine(weights: SkinWeights): Promise<{ weights: SkinWeights; changed: number }>;
  field(joint: number): Promise<Float32Array>;
  /** Stops the binder, here or on the server; what was asked of it fails with a `VisitorError`. */
  cancel(): void;
}

/** Starts the binder; a reader starts with the first file. */
export function createEngine(state: State): Engine {
  let binder = startBinder();
  let open: WorkerClient<FileCalls> | undefined;
  let reading: WorkerClient<FileCalls> | undefined;
  /** The character that the bind worker has. */
  let known: OpenedCharacter | undefined;
  /** The model after it was taught, here as well since the worker may be replaced. */
  let style: Uint8Array | undefined;
  let knownStyle: Uint8Array | undefined;
  /** Ends what the server does for us. */
  let remote: AbortController | undefined;
  addEventListener("pagehide", () => remote?.abort());

  const file = () => {
    if (!open) throw new Error("engine: no file is open.");
    return open;
  };
  const give = async () => {
    if (knownStyle !== style) {
      knownStyle = style;
      await binder.call("setStyle", { model: style });
    }
    if (known === state.character || !state.character) return;
    known = state.character;
    await binder.call("setCharacter", state.character.prepared);
  };
  const stopReading = () => {
    reading?.stop("Cancelled.");
    reading = undefined;
  };
  const readBy = async (
    ask: (reader: WorkerClient<FileCalls>) => Promise<OpenedFile>,
  ): Promise<ReadFile> => {
    stopReading();
    const reader = startReader();
    reading = reader;
    const drop = () => {
      reader.stop("Cancelled.");
      if (reading === reader) reading = undefined;
    };
    try {
      const opened = await ask(reader);
      const take = () => {
        open?.stop("Cancelled.");
        open = reader;
        reading = undefined;
      };
      return { opened, take, drop };
    } catch (error) {
      drop();
      throw error;
    }
  };
  return {
    read: (files, skeleton) => readBy((reader) => reader.call("open", { files, skeleton })),
    readSample: (name) => readBy((reader) => reader.call("openSample", { name })),
    stopReading,
    file,
    async warm(report) {
      const base = document.baseURI;
      await binder.call("warm", { base, provider: state.options.provider }, { report });
    },
    async bind(report) {
      await give();
      return binder.call("bind", state.options, { report });
    },
    async bindRemotely(report) {
      const ending = new AbortController();
      remote = ending;
      try {
        return await bindByServer(state, file(), ending.signal, report);
      } finally {
        if (remote === ending) remote = undefined;
      }
    },
    async teach(files, report) {
      const example = await file().call("readExample", { files });
      const { model, notes } = await binder.call("teach", { example }, { report });
      style = model;
      return notes;
    },
    forget() {
      style = undefined;
    },
    async review(weights, isLatest) {
      await give();
      return binder.call("review", { weights, isLatest });
    },
    async compare(weights) {
      await give();
      return binder.call("compare", { weights });
    },
    async refine(weights) {
      await give();
      return binder.call("refine", { weights });
    },
    async field(joint) {
      await give();
      return binder.call("field", { joint });
    },
    cancel() {
      if (remote) {
        remote.abort();
        return;
      }
      binder.stop("Cancelled.");
      binder = startBinder();
      known = undefined;
      knownStyle = undefined;
    },
  };
}

/** Has the server bind the open file; times are the server's, and what the way there and back took. */
async function bindByServer(
  { options, service }: State,
  file: WorkerClient<FileCalls>,
  signal: AbortSignal,
  report: Report,
): Promise<Binding> {
  const start = performance.now();
  report("server:pack", 0);
  const bytes = await file.call("pack", undefined as never);
  if (signal.aborted) throw new VisitorError("Cancelled.");
  if (bytes.length > (service?.maxUpload ?? 0)) {
    throw new VisitorError(
      `This character has ${megabytes(bytes.length)}, more than the server takes; bind it in this browser.`,
    );
  }
  const { provider: _, ...asked } = options;
  const token = storedToken();
  const found = await bindOnServer({ bytes, options: asked, token, signal, report });
  const weights = await file.call("unpack", { bytes: found.bytes });
  const { timings, warnings } = found;
  const worked = Object.values(timings).reduce((sum, ms) => sum + ms, 0);
  const way = Math.max(0, performance.now() - start - worked);
  return {
    ...{ weights, warnings, timings: { ...timings, "way and wait": way } },
    ...{ provider: undefined, threads: 1, isReused: false, isRemote: true },
  };
}

function startBinder(): WorkerClient<BindCalls> {
  return connectWorker(
    new Worker(new URL("./bind-worker.ts", import.meta.url), { type: "module" }),
  );
}

function startReader(): WorkerClient<FileCalls> {
  return connectWorker(
    new Worker(new URL("./file-worker.ts", import.meta.url), { type: "module" }),
  );
}
