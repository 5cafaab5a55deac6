import { type BindJob, type BindWatch, createBindPool } from "../../batch/pool.ts";
import type { BatchAnswer } from "../../batch/row.ts";

/** Observes and cancels a job of the service. */
export type JobWatch = Required<{ [Key in keyof BindWatch]: NonNullable<BindWatch[Key]> }>;

/** Runs the jobs of the service, here or on other machines. */
export interface JobRunner {
  /** Never throws: errors are in the row of the answer. */
  run(id: string, job: BindJob, watch: JobWatch): Promise<BatchAnswer>;
  /** Cancels the jobs that run here; those on other machines continue. */
  stop(): Promise<void>;
}

/** Runs jobs on this machine, at most `jobs` at once; the others wait. */
export function createLocalRunner(jobs: number): JobRunner {
  const pool = createBindPool({ jobs });
  return {
    run: (_, job, watch) => pool.run(job, watch),
    stop: async () => pool.stop(),
  };
}
