import { expect, test, vi } from "vitest";
import { evaluateAll } from "./evaluate-folder.ts";
import type * as job from "./evaluation-job.ts";

const ending = vi.hoisted(() => new AbortController());
vi.mock("./evaluation-job.ts", async (load) => ({
  ...(await load<typeof job>()),
  createEvaluationJob: async () => async () => {
    ending.abort("SIGINT");
    throw new Error("ended with its pool");
  },
}));

test("an evaluation stopped at its last character rejects", async () => {
  const told: unknown[] = [];
  const settings = { methods: ["heat"], preset: "paper", details: false } as const;
  const running = evaluateAll(
    [{ id: "a", file: "a.glb" }],
    { ...settings, methods: [...settings.methods] },
    { jobs: 1, signal: ending.signal, onDone: (result) => told.push(result) },
  );
  await expect(running).rejects.toBe("SIGINT");
  expect(told).toEqual([]);
});
