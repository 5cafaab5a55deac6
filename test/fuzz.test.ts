import { describe, expect, test } from "vitest";
import { applyWeights, parseWeights, readCharacter } from "../src/formats/index.ts";
import { InputError } from "../src/input-error.ts";
import { FUZZ_LIMITS, runFuzz } from "./helpers/fuzz-run.ts";
import { fuzzSeeds } from "./helpers/fuzz-seeds.ts";

/** Number of cases per test run; `npm run bench fuzz` runs ten thousand. */
const CASES = 400;
const FIRST = 1_000_000;

describe("damaged files", () => {
  test("start from intact files", async () => {
    const whole = (await fuzzSeeds()).filter(({ isStrange }) => !isStrange);
    expect(whole.length).toBeGreaterThan(8);
    for (const { mesh, skeleton, target, ...seed } of whole) {
      if (target) {
        const { matched } = applyWeights(
          await readCharacter(target),
          parseWeights(seed.name, seed.bytes),
          seed.name,
        );
        expect(matched, seed.name).toBeGreaterThan(10);
        continue;
      }
      const read = readCharacter(
        mesh ?? seed,
        mesh ? { skeleton: seed } : { ...(skeleton && { skeleton }) },
      );
      await expect(read, seed.name).resolves.toBeDefined();
    }
  });

  test(`are bound or refused in one sentence, in time and memory (cases from ${FIRST})`, async () => {
    const answers = [...(await runFuzz(FIRST, CASES, 1))];
    const faults = answers.filter(([, { outcome }]) => outcome === "fault");
    expect(faults.map(([number, { message }]) => `case ${number}: ${message}`)).toEqual([]);
    expect(Math.max(...answers.map(([, { peak }]) => peak))).toBeLessThan(FUZZ_LIMITS.memory);
    // Damage that spares all files, or none, would test little.
    const bound = answers.filter(([, { outcome }]) => outcome === "bound").length;
    expect(bound).toBeGreaterThan(CASES / 10);
    expect(bound).toBeLessThan((CASES * 9) / 10);
  });

  test("are refused in one line even if the message quotes them", async () => {
    const bytes = new TextEncoder().encode('{\n"asset"\n\n:\n{\n{');
    const refusal = await readCharacter({ name: "a.gltf", bytes }).catch((error) => error);
    expect(refusal).toBeInstanceOf(InputError);
    expect(refusal.message).toMatch(/^a\.gltf: invalid JSON \([^\n]+\)\.$/);
  });
});
