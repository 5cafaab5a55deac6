import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import path from "node:path";
import { type BindFolderOptions, outputCheck } from "../batch/bind-folder.ts";
import { type BatchFile, listBatch } from "../batch/list.ts";
import { lockFolder } from "../batch/lock.ts";
import { bindAll, DEFAULT_TIMEOUT } from "../batch/pool.ts";
import { type BatchSettings, learnOnce, settingsKey } from "../batch/row.ts";
import { type BindSettings, templateOf } from "../files/bind-file.ts";
import { InputError } from "../input-error.ts";
import {
  dropReplaced,
  type FarmManifest,
  farmOutputs,
  jobsOf,
  type QueuedJob,
  readManifest,
  writeManifest,
} from "./manifest.ts";
import { addJobs, type FarmQueue, jobId } from "./queue.ts";

/** Options for {@link submitFolder}; those of a batch, as far as they are the submitter's. */
export type SubmitOptions = Omit<BindFolderOptions, "again" | "shard" | "onStart" | "onRow">;

/** How many jobs a submission has added, and how many there were already. */
export interface Submitted {
  added: number;
  known: number;
}

/**
 * Adds a job for every character of a folder, or of a pattern such as `rigs/*.glb`, whose output is not
 * what it would be made to be: one that waits, runs, has failed or is done is not added again.
 */
export async function submitFolder(
  queue: FarmQueue,
  inFolder: string,
  outFolder: string,
  options: SubmitOptions,
): Promise<Submitted> {
  const { folder, fits } = splitPattern(inFolder);
  const to = path.resolve(outFolder);
  const listed = await listBatch(path.resolve(folder), to, options);
  // The largest first, as in a batch: none is left for the end.
  const files = listed.filter(({ file }) => fits(file)).sort((a, b) => b.bytes - a.bytes);
  if (files.length === 0) throw new InputError(`${inFolder}: no character fits this pattern.`);
  const unlock = lockFolder(to);
  try {
    return await submitFiles(queue, files, to, options);
  } finally {
    unlock();
  }
}

async function submitFiles(
  queue: FarmQueue,
  files: BatchFile[],
  outFolder: string,
  options: SubmitOptions,
): Promise<Submitted> {
  const settings = await farmSettings(outFolder, options);
  const { adapted } = settings.bind;
  let isNeeded = false;
  try {
    return await submitWith(queue, files, outFolder, settings, options, () => {
      isNeeded = true;
    });
  } finally {
    if (adapted && !isNeeded) await rm(path.dirname(adapted), { recursive: true, force: true });
  }
}

/** @param onAdd called before the first job is added */
async function submitWith(
  queue: FarmQueue,
  files: BatchFile[],
  outFolder: string,
  { bind, ...settings }: BatchSettings,
  options: SubmitOptions,
  onAdd: () => void,
): Promise<Submitted> {
  const key = await settingsKey({ bind, ...settings });
  const empty: FarmManifest = { farm: queue.name, options: {}, jobs: {} };
  const outputs = farmOutputs(outFolder);
  const manifest = (await readManifest(outputs)) ?? empty;
  const check = outputCheck(
    files,
    (output) => options.force || manifest.jobs[output] !== undefined,
  );
  for (const problem of files.map(check)) if (problem) throw problem;
  const earlier = await jobsOf(
    queue,
    files.flatMap(({ output }) => manifest.jobs[output]?.id ?? []),
  );
  const jobOf = ({ output }: BatchFile) => earlier.get(manifest.jobs[output]?.id ?? "");
  const found = await compare(files, { bind, ...settings }, jobOf, options);
  const wanted = files.map((file) => ({
    file,
    id: jobId(found.get(file)?.input ?? "", key, file.outputPath),
  }));
  const open = wanted.filter(({ file, id }) => {
    const job = jobOf(file);
    return job?.id !== id || (job.returnvalue && !found.get(file)?.isSame);
  });
  await dropReplaced(queue, manifest.jobs, wanted);
  const { adapted: _, ...shown } = bind;
  for (const { file, id } of wanted) manifest.jobs[file.output] = { id, file };
  const { attention } = settings;
  // First: whatever happens next, the outputs are known to be ours.
  await writeManifest(outputs, { ...manifest, farm: queue.name, options: shown, attention });
  // A job that is done, but whose output somebody has changed or taken away.
  await Promise.all(open.map(({ id }) => earlier.has(id) && queue.remove(id)));
  const { timeout = DEFAULT_TIMEOUT } = options;
  const dataOf = (file: BatchFile) => ({ file, settings: { bind, ...settings }, timeout });
  if (open.length > 0) onAdd();
  await addJobs(
    queue,
    open.map(({ file, id }) => ({ id, data: dataOf(file) })),
  );
  return { added: open.length, known: files.length - open.length };
}

/** What files are bound with, all paths whole: workers stand elsewhere. */
async function farmSettings(
  outFolder: string,
  { bind = {}, reports = false, pictures = false, attention, signal, onProgress }: SubmitOptions,
): Promise<BatchSettings> {
  const whole = (file: string | undefined) => file && path.resolve(file);
  const { skeleton, model } = bind;
  const settings: BindSettings = {
    ...bind,
    threads: bind.threads ?? 1,
    ...(skeleton && !templateOf(skeleton) && { skeleton: whole(skeleton) }),
    // A name such as permissive stays one.
    ...(model && existsSync(model) && { model: whole(model) }),
  };
  const makeFolder = () => mkdtemp(path.join(outFolder, ".heterskin-learned-"));
  const learned = await learnOnce(settings, makeFolder, { signal, onProgress });
  return { bind: { ...settings, ...learned }, reports, pictures, attention };
}

/** The fingerprints of inputs, and whether they and the outputs are what an earlier job had and gave. */
async function compare(
  files: BatchFile[],
  settings: BatchSettings,
  jobOf: (file: BatchFile) => QueuedJob | undefined,
  { jobs, timeout, signal }: SubmitOptions,
): Promise<Map<BatchFile, { input: string; isSame: boolean }>> {
  const found = new Map<BatchFile, { input: string; isSame: boolean }>();
  await bindAll(files, settings, {
    jobs,
    timeout,
    signal,
    knownOf: (file) => jobOf(file)?.returnvalue ?? { input: "", bytes: "" },
    onDone: (file, { input, isSame }) => found.set(file, { input, isSame }),
  });
  return found;
}

/**
 * Divides `rigs/hero*.glb` into the folder before the first wildcard and a test of paths below it: `*`
 * stands for anything within a name, `**` for any folders, `?` for one letter.
 *
 * Without a wildcard, all of it is the folder, and every path fits.
 */
export function splitPattern(pattern: string): {
  folder: string;
  fits: (file: string) => boolean;
} {
  const parts = pattern.replaceAll(path.sep, "/").split("/");
  const first = parts.findIndex((part) => /[*?]/.test(part));
  if (first < 0) return { folder: pattern, fits: () => true };
  const folder = parts.slice(0, first).join("/") || (first > 0 ? "/" : ".");
  const text = parts.slice(first).map(partPattern).join("");
  const whole = new RegExp(`^${text}$`);
  return { folder, fits: (file) => whole.test(`${file}/`) };
}

function partPattern(part: string): string {
  if (part === "**") return "(?:[^/]+/)*";
  const text = part.replace(/[.+^${}()|[\]\\]/g, "\\$&");
  return `${text.replace(/\*+/g, "[^/]*").replaceAll("?", "[^/]")}/`;
}
