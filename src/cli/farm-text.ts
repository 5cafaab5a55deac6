import type { FarmStatus } from "../farm/farm-status.ts";

/** How a farm stands, in a line. */
export function farmLine({ jobs, rate, secondsLeft }: FarmStatus): string {
  const { waiting, active, delayed, done, failed } = jobs;
  const left = secondsLeft === undefined ? "" : `, ${durationText(secondsLeft)} left`;
  const again = delayed > 0 ? `, ${delayed} to be tried again` : "";
  return `${done} done, ${failed} failed, ${active} running, ${waiting} waiting${again}; ${rate.toFixed(1)} a second${left}`;
}

/** Failures shown in full. */
const SHOWN = 20;

/** How a farm stands, on a screen. */
export function farmText(status: FarmStatus): string {
  const { name, workers, isDrained, failures, slowest, jobs } = status;
  const more = jobs.failed - Math.min(failures.length, SHOWN);
  return [
    `farm      ${name}, ${workers} workers${isDrained ? ", drained" : ""}`,
    `jobs      ${farmLine(status)}`,
    ...slowest.map(({ file, seconds }) => `slowest   ${file}: ${seconds} s`),
    ...failures.slice(0, SHOWN).map(({ file, error }) => `failed    ${file}: ${error}`),
    ...(more > 0 ? [`failed    and ${more} more; --json names the last hundred`] : []),
  ].join("\n");
}

function durationText(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}
