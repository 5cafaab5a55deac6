import { expect, test } from "vitest";
import { makeSample } from "../../samples/index.ts";
import type { Character } from "../character/character.ts";
import { prepareCharacter } from "../character/prepare-character.ts";
import { PRESETS } from "../network/presets.ts";
import { readRow, type SkinWeights, weightIn } from "../weights/skin-weights.ts";
import { measureSample } from "./prepare-samples.ts";

test("a label is the artist's weight on the bone of its slot, even if bones tie", async () => {
  const { character } = prepareCharacter(makeSample("fish"));
  const painted = character as Character & { weights: SkinWeights };
  const { input, labels } = await measureSample(painted, {
    measure: PRESETS.default.measure,
    k: 12,
    ball: 16,
  });
  const { k, bones } = input.distances;
  for (let v = 0; v < bones.length / k; v++) {
    const row = readRow(painted.weights, v);
    const slots = Array.from({ length: k }, (_, i) => v * k + i).filter((slot) => bones[slot] >= 0);
    const inside = slots.reduce((sum, slot) => sum + weightIn(row, bones[slot]), 0);
    if (inside === 0) continue;
    for (const slot of slots) {
      expect(labels[slot]).toBeCloseTo(weightIn(row, bones[slot]) / inside, 3);
    }
  }
});
