/** What a worker process is sent: the settings first, then one job after another. */
export type ProcessRequest = { settings: unknown } | { job: unknown };

/** What a worker process sends once it is ready for jobs. */
export const READY = "ready";

/**
 * Answers the jobs of a `ProcessWorker`, inside the process; ends when the parent is gone.
 *
 * @param prepare makes, from the settings, what does one job; the job must not throw
 */
export function serveProcess<Settings, Job, Answer>(
  prepare: (settings: Settings) => Promise<(job: Job) => Promise<Answer>>,
): void {
  let serve: Promise<(job: Job) => Promise<Answer>> | undefined;
  process.on("message", async (request: ProcessRequest) => {
    if ("settings" in request) {
      serve = prepare(request.settings as Settings);
      await serve;
      if (process.connected) process.send!(READY);
      return;
    }
    const answer = await (await serve!)(request.job as Job);
    if (process.connected) process.send!(answer);
  });
  process.on("disconnect", () => process.exit());
}
