import { readdirSync } from "node:fs";
import { countJobs, type JobSet } from "./jobs.ts";

/** Counters of the service. */
export interface ApiMetrics {
  answered(status: number): void;
  uploaded(bytes: number): void;
  /** Returns all counters in the format of Prometheus. */
  text(jobs: JobSet): string;
}

/** Creates the counters of a service. */
export function createApiMetrics(): ApiMetrics {
  const answers = new Map<number, number>();
  let bytes = 0;
  return {
    answered: (status) => answers.set(status, (answers.get(status) ?? 0) + 1),
    uploaded: (more) => {
      bytes += more;
    },
    text(jobs) {
      const { now, ended } = countJobs(jobs);
      const memory = process.memoryUsage.rss();
      const codes = Object.fromEntries([...answers].sort(([a], [b]) => a - b));
      return [
        ...metric("heterskin_jobs", "gauge", "Jobs by state.", now, "state"),
        ...metric("heterskin_jobs_ended_total", "counter", "Ended jobs.", ended, "state"),
        ...metric("heterskin_answers_total", "counter", "Answers by status.", codes, "status"),
        ...metric("heterskin_upload_bytes_total", "counter", "Bytes of files received.", bytes),
        ...metric("process_resident_memory_bytes", "gauge", "Memory in use.", memory),
        ...metric("process_open_fds", "gauge", "Open descriptors.", openDescriptors()),
        "",
      ].join("\n");
    },
  };
}

function metric(
  name: string,
  type: "gauge" | "counter",
  help: string,
  value: number | Record<string, number>,
  label = "",
): string[] {
  const lines =
    typeof value === "number"
      ? [`${name} ${value}`]
      : Object.entries(value).map(([key, each]) => `${name}{${label}="${key}"} ${each}`);
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines];
}

function openDescriptors(): number {
  try {
    return readdirSync("/proc/self/fd").length;
  } catch {
    return 0;
  }
}
