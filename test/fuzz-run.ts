import { createProcessWorker } from "../src/cli/process-worker.ts";
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
  let next = first;
  const work = async () => {
    const worker = createProcessWorker<number, FuzzAnswer>({
      module: "./fuzz-worker",
      from: import.meta.url,
      settings: {},
      ...FUZZ_LIMITS,
      lost: (_, message) => ({
        ...{ outcome: "fault", seed: "", message },
        ...{ milliseconds: FUZZ_LIMITS.timeout, peak: 0 },
      }),
    });
    try {
      while (next < first + count) {
        const number = next++;
        const answer = await worker.run(number);
        answers.set(number, answer);
        onCase(number, answer);
      }
    } finally {
      worker.stop();
    }
  };
  await Promise.all(Array.from({ length: jobs }, work));
  return answers;
}
