import { expect, test } from "vitest";
import { exampleCharacter } from "../../test/helpers/example-character.ts";
import { InputError } from "../input-error.ts";
import { decodeExemplars, encodeExemplars } from "./exemplars.ts";

test("exemplars survive a round trip, up to 16 bits", () => {
  const { mesh, skeleton, weights } = exampleCharacter();
  const exemplar = { skeleton, positions: mesh.positions, weights };
  const [first, second, ...rest] = decodeExemplars(encodeExemplars([exemplar, exemplar]));
  expect(rest).toEqual([]);
  expect(second).toEqual(first);
  expect(first.skeleton).toEqual(skeleton);
  expect(first.weights.joints).toEqual(weights.joints);
  expect(first.positions).toBeAllClose(mesh.positions, 1e-4);
  expect(first.weights.weights).toBeAllClose(weights.weights, 1e-4);
});

test.each(["[", "{}", '[{"names":[]}]'])(
  "damaged exemplars are refused in a sentence: %s",
  (text) => {
    expect(() => decodeExemplars(text)).toThrow(InputError);
  },
);
