import { createWorkerPool, inFlight } from "../../src/processes/worker-host.ts";
import type { FuzzAnswer } from "./fuzz-case.ts";

/** Limits of a case: milliseconds of processor time, and bytes. */
export const FUZZ_LIMITS: { milliseconds: number; memory: number } = {
  milliseconds: 5000,
  memory: 2 ** 30,
};

/** Time limit of a case (ms), high enough that other load on the machine does not fail it. */
const TIMEOUT = 20 * FUZZ_LIMITS.milliseconds;

/** Runs cases in worker processes that serve many each; a process that hangs or grows is replaced. */
export async function runFuzz(
  first: number,
  count: number,
  jobs: number,
  onCase: (number: number, answer: FuzzAnswer) => void = () => undefined,
): Promise<Map<number, FuzzAnswer>> {
  const answers = new Map<number, FuzzAnswer>();
  const pool = createWorkerPool<number, FuzzAnswer>(jobs, {
    kind: "process",
    module: "./fuzz-worker",
    name: "createFuzzer",
    settings: {},
    from: import.meta.url,
    timeout: TIMEOUT,
    memory: FUZZ_LIMITS.memory,
    // Leftovers of one case must not count for the next.
    isSpent: ({ peak }) => peak > FUZZ_LIMITS.memory / 2,
  });
  const numbers = Array.from({ length: count }, (_, i) => first + i);
  try {
    await inFlight(numbers, jobs, async (number) => {
      const answer = withinLimits(await pool.run(number).catch(lostCase));
      answers.set(number, answer);
      onCase(number, answer);
    });
  } finally {
    await pool.close();
  }
  return answers;
}

function withinLimits(answer: FuzzAnswer): FuzzAnswer {
  const { outcome, milliseconds, peak } = answer;
  if (outcome === "fault") return answer;
  const isSlow = milliseconds > FUZZ_LIMITS.milliseconds;
  if (!isSlow && peak <= FUZZ_LIMITS.memory) return answer;
  const took = isSlow
    ? `${Math.round(milliseconds)} ms of processor time`
    : `${Math.round(peak / 2 ** 20)} MB`;
  return { ...answer, outcome: "fault", message: `it took ${took}` };
}

function lostCase({ message }: Error): FuzzAnswer {
  return {
    outcome: "fault",
    seed: "",
    message,
    milliseconds: 0,
    peak: 0,
  };
}
