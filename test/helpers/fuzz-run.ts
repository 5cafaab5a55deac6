import { createWorkerPool, inFlight } from "../../src/processes/worker-pool.ts";
import type { FuzzAnswer } from "./fuzz-case.ts";

/** What a case may take. */
export const FUZZ_LIMITS: { timeout: number; memory: number } = {
  timeout: 10_000,
  memory: 2 * 2 ** 30,
};

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
    ...FUZZ_LIMITS,
  });
  const numbers = Array.from({ length: count }, (_, i) => first + i);
  try {
    await inFlight(numbers, jobs, async (number) => {
      const answer = await pool.run(number).catch(lostCase);
      answers.set(number, answer);
      onCase(number, answer);
    });
  } finally {
    await pool.close();
  }
  return answers;
}

function lostCase({ message }: Error): FuzzAnswer {
  return {
    outcome: "fault",
    seed: "",
    message,
    milliseconds: FUZZ_LIMITS.timeout,
    peak: 0,
  };
}
