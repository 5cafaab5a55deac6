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

/** A file that was read in its own worker; the page has not changed yet. */
export interface ReadFile {
  opened: OpenedFile;
  /** Makes it the open file and closes the previous one. */
  take(): void;
  /** Discards it. */
  drop(): void;
}

/** The page's workers: one for each file, and one that binds and is replaced when it is stopped. */
export interface Engine {
  /** Reads a file while another stays open; cancels a read in progress. */
  read(files: PickedFile[], skeleton?: PickedFile): Promise<ReadFile>;
  readSample(name: string): Promise<ReadFile>;
  /** Files in a ZIP; `stopReading` cancels. */
  unzip(file: PickedFile): Promise<PickedFile[]>;
  stopReading(): void;
  /** The worker of the open file. */
  file(): WorkerClient<FileCalls>;
  /** Writes the open file, to completion even if another file is opened in the meantime. */
  save(weights: SkinWeights, request: SaveRequest): Promise<SavedFile>;
  /** Fetches the runtime and the model; to be called first, and again after `cancel`. */
  warm(report: Report): Promise<void>;
  bind(options: BindOptions, report: Report): Promise<Binding>;
  /** Like `bind`, on the page's host. */
  bindRemotely(options: BindOptions, report: Report): Promise<Binding>;
  /** Learns from a rigged character; later binds use its style until `forget`. */
  teach(files: PickedFile[], report: Report): Promise<AdaptNotes>;
  /** Sets a style learned earlier. */
  adopt(model: Uint8Array<ArrayBuffer>): void;
  /** The adapted model. */
  learned(): Uint8Array<ArrayBuffer> | undefined;
  forget(): void;
  /** Finds doubts about weights; knows more about those of the latest bind. */
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
  /** Stops the bind worker or the job on the server; pending calls reject with a `VisitorError`. */
  cancel(): void;
}

/** Vertices from which the bind worker is replaced with its character, to free the tab's memory. */
const LARGE_HERE = 25_000;

/** Starts the bind worker; file workers start when a file is read. */
export function createEngine(state: State): Engine {
  let binder = startBinder();
  let open: WorkerClient<FileCalls> | undefined;
  let reading: WorkerClient<FileCalls> | undefined;
  /** Reads an example to learn from. */
  let lesson: WorkerClient<FileCalls> | undefined;
  let saving: Promise<unknown> = Promise.resolve();
  /** The character that the bind worker holds. */
  let known: OpenedCharacter | undefined;
  /** The adapted model; kept here too, since the worker may be replaced. */
  let style: Uint8Array<ArrayBuffer> | undefined;
  let knownStyle: Uint8Array | undefined;
  /** Weights of the latest bind. */
  let latest: SkinWeights | undefined;
  /** Cancels the job on the server. */
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
  /** The bind worker; replaces one that exited unexpectedly. */
  const working = () => {
    if (binder.hasFailed()) {
      replaceBinder();
      warm(() => {}).catch(() => undefined);
    }
    return binder;
  };
  /** The bind worker with the current style and character; rejects if the character was replaced. */
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
        // WebAssembly returns memory only when its worker ends.
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

/** Binds the open file on the server. Timings are the server's, plus the time of transport and waiting. */
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
      `This character has ${megabytes(bytes.length)}, more than the server accepts; bind it in this browser.`,
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
