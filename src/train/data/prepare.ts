import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { writeText } from "../../disk/write-whole.ts";
import { InputError } from "../../input-error.ts";
import { prepareSamples } from "../../learn/prepare-samples.ts";
import { type SampleSettings, sortedEntries } from "../../learn/sample-settings.ts";
import { createRandom } from "../../math/random.ts";
import { connectedComponents, vertexNeighbors } from "../../mesh/adjacency.ts";
import { vertexCount } from "../../mesh/mesh.ts";
import {
  createLocalPool,
  createWorkerPool,
  inFlight,
  type WorkerPool,
} from "../../processes/worker-host.ts";
import {
  type CharacterSource,
  characterSources,
  readSource,
  type SourceOptions,
} from "./character-source.ts";
import { openSampleFile, type SampleFile, writeSampleFile } from "./sample-file.ts";

export interface PrepareOptions extends SourceOptions {
  settings: SampleSettings;
  /** Worker threads; 0 uses this thread. */
  jobs: number;
  onProgress?: ((done: number, total: number, row: PrepareRow) => void) | undefined;
  signal?: AbortSignal | undefined;
}

/** The result for one character. */
export interface PrepareRow {
  name: string;
  split: string;
  /** `kept`: the file exists with the same settings. */
  status: "made" | "kept" | "rejected";
  /** Reason for a rejection. */
  reason: string;
  /** Of the original character. */
  vertices: number;
  joints: number;
  samples: number;
  seconds: number;
}

const ENDING = ".samples";
const SETTINGS = "settings.json";

/**
 * Creates samples of a folder of rigged files, or of a pack: one file per character in `cache`, and
 * a table `prepared.tsv`. Existing files with the same settings are kept, so an interrupted run
 * resumes.
 */
export async function prepare(
  from: string,
  cache: string,
  options: PrepareOptions,
): Promise<PrepareRow[]> {
  const sources = characterSources(from, options);
  mkdirSync(cache, { recursive: true });
  const key = settingsKey(options.settings);
  const settings = JSON.stringify({ key, ...options.settings }, null, 1);
  writeText(path.join(cache, SETTINGS), `${settings}\n`);
  // Large characters first, so that the last ones are short.
  const order = sources.map((_, i) => i).sort((a, b) => sources[b].size - sources[a].size);
  const rows = new Array<PrepareRow>(sources.length);
  const donors = options.settings.attachProbability > 0 ? sources.filter(isTraining) : [];
  const pool = createPool(options.jobs);
  let done = 0;
  const finish = async (index: number): Promise<void> => {
    options.signal?.throwIfAborted();
    const donor = donorOf(sources[index], donors, options.settings.variantSeed);
    rows[index] = await prepareOne(sources[index], donor, cache, key, options.settings, pool);
    options.onProgress?.(++done, sources.length, rows[index]);
  };
  try {
    await inFlight(order, Math.max(1, options.jobs), finish);
  } finally {
    await pool.close();
  }
  writeText(path.join(cache, "prepared.tsv"), table(rows));
  return rows;
}

export interface Cache {
  settings: SampleSettings;
  /** Sorted by name. */
  files: SampleFile[];
}

/** Returns whether {@link prepare} has filled a folder. */
export function isCache(folder: string): boolean {
  return existsSync(path.join(folder, SETTINGS));
}

/** Opens a folder of samples; throws `InputError` if there are none or their settings differ. */
export function openCache(folder: string): Cache {
  if (!isCache(folder)) throw new InputError(`${folder} contains no samples; prepare it first.`);
  const file = path.join(folder, SETTINGS);
  const { key, ...settings } = readJson<SampleSettings & { key: string }>(file);
  const files = readdirSync(folder)
    .filter((name) => name.endsWith(ENDING))
    .sort()
    .map((name) => openSampleFile(path.join(folder, name)));
  const other = files.find((file) => file.key !== key);
  if (!other) return { settings: settings as SampleSettings, files };
  throw new InputError(
    `${other.path} was made with other settings than the rest; prepare it again.`,
  );
}

function isTraining({ split }: CharacterSource): boolean {
  return split === "train";
}

/** Returns another training character, deterministic by name. */
function donorOf(
  source: CharacterSource,
  donors: CharacterSource[],
  seed: number,
): CharacterSource | undefined {
  if (!isTraining(source) || donors.length < 2) return undefined;
  const random = createRandom(`${source.name}/donor/${seed}`);
  const others = donors.filter(({ name }) => name !== source.name);
  return others[Math.floor(random() * others.length)];
}

async function prepareOne(
  source: CharacterSource,
  donor: CharacterSource | undefined,
  cache: string,
  key: string,
  settings: SampleSettings,
  pool: WorkerPool<PrepareJob, PrepareAnswer>,
): Promise<PrepareRow> {
  const out = path.join(cache, `${source.name}${ENDING}`);
  const base = { name: source.name, split: source.split, reason: "", seconds: 0 };
  const kept = existing(out);
  if (kept?.key === key && kept.split === source.split) {
    return { ...base, status: "kept", ...sizes(kept) };
  }
  const started = performance.now();
  const answer = await pool.run({ source, donor, out, key, settings });
  const seconds = (performance.now() - started) / 1000;
  if (answer.rejected !== undefined) {
    const none = { vertices: 0, joints: 0, samples: 0 };
    return { ...base, ...none, status: "rejected", reason: answer.rejected, seconds };
  }
  return { ...base, status: "made", ...sizes(openSampleFile(out)), seconds };
}

/** Opens an existing file; undefined if it cannot be read (incomplete, another version). */
function existing(out: string): SampleFile | undefined {
  try {
    return existsSync(out) ? openSampleFile(out) : undefined;
  } catch (error) {
    if (error instanceof InputError) return undefined;
    throw error;
  }
}

function sizes({ variants }: SampleFile): Pick<PrepareRow, "vertices" | "joints" | "samples"> {
  return { vertices: variants[0].vertices, joints: variants[0].joints, samples: variants.length };
}

function createPool(jobs: number): WorkerPool<PrepareJob, PrepareAnswer> {
  return jobs > 0
    ? createWorkerPool(jobs, {
        kind: "thread",
        module: "./prepare",
        name: "createPreparer",
        from: import.meta.url,
        settings: undefined,
      })
    : createLocalPool(createPreparer());
}

function table(rows: PrepareRow[]): string {
  const columns = ["name", "split", "status", "reason", "vertices", "joints", "samples"] as const;
  const lines = rows.map((row) => columns.map((column) => row[column]).join("\t"));
  return `${[columns.join("\t"), ...lines].join("\n")}\n`;
}

/** A character to process. */
export interface PrepareJob {
  source: CharacterSource;
  /** Training character whose loose parts may be attached to variants. */
  donor?: CharacterSource | undefined;
  out: string;
  key: string;
  settings: SampleSettings;
}

/** `rejected` is the reason why no file was written. */
export type PrepareAnswer = { rejected?: string };

/** Returns a short hash of a value. */
function shortHash(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex").slice(0, 12);
}

/**
 * Returns a function that creates sample files; an unusable character is an answer, not an error.
 */
export function createPreparer(): typeof prepareFile {
  return prepareFile;
}

async function prepareFile({ source, out, key, ...job }: PrepareJob): Promise<PrepareAnswer> {
  try {
    const training = isTraining(source);
    const character = await readSource(source);
    const donor = job.donor && (await readSource(job.donor));
    const made = await prepareSamples(character, job.settings, training, donor);
    const variants = made.samples.map(({ input: { mesh, skeleton } }, i) => ({
      vertices: vertexCount(mesh),
      joints: skeleton.names.length,
      parts: connectedComponents(vertexNeighbors(mesh.triangles, vertexCount(mesh))).count,
      how: made.how[i],
    }));
    const skeleton = shortHash([...made.character.skeleton.names].sort());
    const info = { key, name: source.name, split: source.split, skeleton, variants };
    writeSampleFile(out, info, made.samples, training ? undefined : made.character);
    return {};
  } catch (error) {
    const { message, stack } = error as Error;
    // Remove samples of other settings.
    rmSync(out, { force: true });
    // A failing character, even by an internal error, must not end a long run.
    const internal = `internal error: ${(stack ?? message).replace(/\s+/g, " ")}`;
    return { rejected: error instanceof InputError ? message : internal };
  }
}

/** Increment when the same settings produce different samples. */
const VERSION = 5;

/** Returns a short hash of settings. */
export function settingsKey(settings: SampleSettings): string {
  return shortHash([VERSION, sortedEntries(settings)]);
}

/** Reads a JSON object; throws `InputError` if it is damaged. */
export function readJson<T extends object>(file: string): T {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, "utf8"));
  } catch {
    // Reported below.
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as T;
  throw new InputError(`${file} is damaged; make it again.`);
}
