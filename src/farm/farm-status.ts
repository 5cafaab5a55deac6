import type { QueuedJob } from "./farm-manifest.ts";
import type { FarmQueue } from "./farm-queue.ts";
import { rowOf } from "./work-farm.ts";

/** How a farm stands. */
export interface FarmStatus {
  name: string;
  /** Whether nothing is begun; see `drainFarm`. */
  isDrained: boolean;
  workers: number;
  /** `delayed` jobs failed and wait for their next attempt. */
  jobs: { waiting: number; active: number; delayed: number; done: number; failed: number };
  /** Jobs a second of late; 0 where none was done. */
  rate: number;
  /** Seconds until all is done at this rate; absent where there is none, or nothing to do. */
  secondsLeft?: number | undefined;
  /** The last failures, each with its sentence. */
  failures: { file: string; error: string }[];
  /** Of the last jobs done, those that took longest. */
  slowest: { file: string; seconds: number }[];
}

/** The last jobs that rate and slowest are taken from ... */
const RECENT = 200;
/** ... if they ended within so many milliseconds. */
const WINDOW = 300_000;
const SHOWN_FAILURES = 100;
const SHOWN_SLOWEST = 5;

/** Looks at a farm; the effort does not grow with the number of its jobs. */
export async function farmStatus(queue: FarmQueue): Promise<FarmStatus> {
  const [counts, isDrained, workers, recent, failed] = await Promise.all([
    queue.getJobCounts("waiting", "prioritized", "active", "delayed", "completed", "failed"),
    queue.isPaused(),
    queue.getWorkersCount(),
    queue.getCompleted(0, RECENT - 1),
    queue.getFailed(0, SHOWN_FAILURES - 1),
  ]);
  const { waiting = 0, prioritized = 0, active = 0, delayed = 0 } = counts;
  const jobs = {
    ...{ waiting: waiting + prioritized, active, delayed },
    ...{ done: counts.completed ?? 0, failed: counts.failed ?? 0 },
  };
  const rate = rateOf(recent, Date.now());
  const open = jobs.waiting + active + delayed;
  return {
    ...{ name: queue.name, isDrained, workers, jobs, rate },
    ...(open > 0 && rate > 0 && { secondsLeft: open / rate }),
    failures: failed.map(rowOf).map(({ file, error = "" }) => ({ file, error })),
    slowest: recent
      .map(({ returnvalue: { row } }) => ({ file: row.file, seconds: row.seconds }))
      .sort((a, b) => b.seconds - a.seconds)
      .slice(0, SHOWN_SLOWEST),
  };
}

function rateOf(jobs: QueuedJob[], now: number): number {
  const ends = jobs.map(({ finishedOn = 0 }) => finishedOn).filter((end) => end > now - WINDOW);
  const first = ends.reduce((least, end) => Math.min(least, end), now);
  return ends.length > 1 ? (1000 * ends.length) / Math.max(now - first, 1) : 0;
}
