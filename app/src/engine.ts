import type { AdaptNotes } from "../../src/adapt/index.ts";
import type { Doubts, SkinWeights } from "../../src/index.ts";
import { CARRIED_SHARE, type PoseCheck } from "../../src/parts.ts";
import type { BindCalls, Binding, BindOptions, Comparison } from "./bind-calls.ts";
import { bindOnServer } from "./bind-on-server.ts";
import { connectWorker, VisitorError, type WorkerClient } from "./call-worker.ts";
import type { FileCalls, OpenedCharacter, OpenedFile, PickedFile } from "./file-calls.ts";
import { galleryFile } from "./gallery.ts";
import type { SavedFile, SaveRequest } from "./save-file.ts";
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
  /** The files in a ZIP; given up by `stopReading`. */
  unzip(file: PickedFile): Promise<PickedFile[]>;
  stopReading(): void;
  /** The worker that has the open file. */
  file(): WorkerClient<FileCalls>;
  /** Writes the open file; it is written to its end, even if another file is opened meanwhile. */
  save(weights: SkinWeights, request: SaveRequest): Promise<SavedFile>;
  /** Fetches runtime and model; to be called first, and again after `cancel`. */
  warm(report: Report): Promise<void>;
  bind(options: BindOptions, report: Report): Promise<Binding>;
  /** The same on the page's own host. */
  bindRemotely(options: BindOptions, report: Report): Promise<Binding>;
  /** Learns from a rigged character; later bindings have its style until `forget`. */
  teach(files: PickedFile[], report: Report): Promise<AdaptNotes>;
  /** Takes what was learned before. */
  adopt(model: Uint8Array<ArrayBuffer>): void;
  /** What was learned, as a model. */
  learned(): Uint8Array<ArrayBuffer> | undefined;
  forget(): void;
  /** Doubts about weights; more is known about those that the binder gave last. */
  review(weights: SkinWeights): Promise<Doubts>;
  compare(weights: SkinWeights): Promise<Comparison>;
  refine(weights: SkinWeights): Promise<{ weights: SkinWeights; changed: number }>;
  /** Applies the remedies of some findings, by index, as far as they help. */
  fix(
    weights: SkinWeights,
    check: PoseCheck,
    findings: number[],
  ): Promise<{ weights: SkinWeights; fixed: number }>;
  field(joint: number): Promise<Float32Array>;
  /** Stops the binder, here or on the server; what was asked of it fails with a `VisitorError`. */
  cancel(): void;
}

/** From so many vertices on a worker is ended with its character, and the tab gets its memory back. */
const LARGE_HERE = 25_000;

/** Starts the binder; a reader starts with the first file. */
export function createEngine(state: State): Engine {
  let binder = startBinder();
  let open: WorkerClient<FileCalls> | undefined;
  let reading: WorkerClient<FileCalls> | undefined;
  /** Reads an example to learn from. */
  let lesson: WorkerClient<FileCalls> | undefined;
  let saving: Promise<unknown> = Promise.resolve();
  /** The character that the bind worker has. */
  let known: OpenedCharacter | undefined;
  /** The model after it was taught, here as well since the worker may be replaced. */
  let style: Uint8Array<ArrayBuffer> | undefined;
  let knownStyle: Uint8Array | undefined;
  /** The weights that the binder gave last. */
  let latest: SkinWeights | undefined;
  /** Ends what the server does for us. */
  let remote: AbortController | undefined;
  addEventListener("pagehide", () => remote?.abort());

  const file = () => {
    if (!open) throw new Error("engine: no file is open.");
    return open;
  };
  const replaceBinder = () => {
    binder.stop("Cancelled.");
    binder = startBinder();
    known = undefined;
    knownStyle = undefined;
    latest = undefined;
  };
  const warm = (report: Report) =>
    binder.call("warm", { base: document.baseURI, provider: state.options.provider }, { report });
  /** A binder that works; where one ended by itself, another is started. */
  const working = () => {
    if (binder.hasFailed()) {
      replaceBinder();
      warm(() => {}).catch(() => undefined);
    }
    return binder;
  };
  /** The binder once it has style and character; what was asked about a character that is gone is cancelled. */
  const ready = async () => {
    const asked = working();
    const { character } = state;
    if (knownStyle !== style) {
      knownStyle = style;
      await asked.call("setStyle", { model: style });
    }
    if (character && known !== character && state.character === character) {
      known = character;
      const { prepared, carried } = character;
      await asked.call("setCharacter", { prepared, carried });
    }
    if (state.character !== character) throw new VisitorError("Cancelled.");
    return asked;
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
        const before = open;
        // WebAssembly never gives memory back while its worker lives.
        if ((known?.vertices ?? 0) >= LARGE_HERE) {
          replaceBinder();
          warm(() => {}).catch(() => undefined);
        }
        void saving.then(() => before?.stop("Cancelled."));
        open = reader;
        if (reading === reader) reading = undefined;
      };
      return { opened, take, drop };
    } catch (error) {
      drop();
      throw error;
    }
  };
  return {
    read: (files, skeleton) => readBy((reader) => reader.call("open", { files, skeleton })),
    readSample: (name) =>
      readBy(async (reader) => {
        const file = await galleryFile(name);
        return file ? reader.call("open", { files: [file] }) : reader.call("openSample", { name });
      }),
    async unzip(zip) {
      stopReading();
      const reader = startReader();
      reading = reader;
      return reader.call("unzip", { file: zip }).finally(() => reader.stop("Cancelled."));
    },
    stopReading,
    file,
    save(weights, request) {
      const written = file().call("write", { weights, ...request });
      saving = Promise.allSettled([saving, written]);
      return written;
    },
    async warm(report) {
      await warm(report);
    },
    async bind(options, report) {
      const asked = await ready();
      latest = undefined;
      const given = await asked.call("bind", options, { report });
      if (asked === binder) latest = given.weights;
      return given;
    },
    async bindRemotely(options, report) {
      const ending = new AbortController();
      remote = ending;
      try {
        const { service, character } = state;
        const asked = { options, service, character };
        return await bindByServer(asked, file(), ending.signal, report);
      } finally {
        if (remote === ending) remote = undefined;
      }
    },
    async teach(files, report) {
      const asked = working();
      lesson = startReader();
      const reader = lesson;
      const example = await reader
        .call("readExample", { files })
        .finally(() => reader.stop("Cancelled."));
      const { model, notes } = await asked.call("teach", { example }, { report });
      style = model as Uint8Array<ArrayBuffer>;
      return notes;
    },
    adopt(model) {
      style = model;
    },
    learned: () => style,
    forget() {
      style = undefined;
    },
    async review(weights) {
      const asked = await ready();
      return asked.call("review", { weights, isLatest: weights === latest });
    },
    compare: async (weights) => (await ready()).call("compare", { weights }),
    refine: async (weights) => (await ready()).call("refine", { weights }),
    fix: async (weights, check, findings) =>
      (await ready()).call("fix", { weights, check, findings }),
    field: async (joint) => (await ready()).call("field", { joint }),
    cancel() {
      lesson?.stop("Cancelled.");
      if (!remote) return replaceBinder();
      remote.abort();
      remote = undefined;
    },
  };
}

/** Has the server bind the open file; times are the server's, and what the way there and back took. */
async function bindByServer(
  { options, service, character }: Pick<State, "options" | "service" | "character">,
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
  const { provider: _, ...chosen } = options;
  const asked = { ...chosen, ...(character?.carried && { blend: CARRIED_SHARE }) };
  const token = storedToken();
  const found = await bindOnServer({ bytes, options: asked, token, signal, report });
  const weights = await file.call("unpack", { bytes: found.bytes });
  const { timings, warnings } = found;
  const worked = Object.values(timings).reduce((sum, ms) => sum + ms, 0);
  const way = Math.max(0, performance.now() - start - worked);
  return {
    weights,
    warnings,
    timings: { ...timings, "way and wait": way },
    provider: undefined,
    threads: 1,
    isReused: false,
    isRemote: true,
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
