import { describe, expect, test } from "vitest";
import type { Character } from "../character/character.ts";
import { fileFromCharacter } from "./file-from-character.ts";
import { readCharacter } from "./read-character.ts";
import { writeCharacter } from "./write-character.ts";

/** Three joints, the parent last; four vertices, one of them in no triangle. */
function character(parents: number[]): Character {
  return {
    name: "made",
    mesh: {
      positions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 3, 3, 3),
      triangles: Uint32Array.of(0, 1, 2),
    },
    skeleton: {
      names: ["tip", "other", "root"],
      parents: Int32Array.from(parents),
      positions: Float32Array.of(0, 2, 0, 1, 1, 1, 0.5, 0, 0),
    },
  };
}

const weights = {
  influences: 2,
  joints: Uint16Array.of(2, 0, 0, 1, 1, 0, 2, 0),
  weights: Float32Array.of(1, 0, 0.75, 0.25, 1, 0, 1, 0),
};

describe("fileFromCharacter", () => {
  test.each([
    ["one root", [2, 0, -1]],
    ["three roots", [-1, -1, -1]],
  ])("is read back from a GLB unchanged, with its weights (%s)", async (_, parents) => {
    const made = character(parents);
    const { bytes } = writeCharacter(fileFromCharacter(made), weights);
    const read = (await readCharacter({ name: "made.glb", bytes })).character;
    expect(read.mesh.positions).toBeAllClose(made.mesh.positions);
    expect([...read.mesh.triangles]).toEqual([0, 1, 2]);
    expect(read.skeleton.names).toEqual(made.skeleton.names);
    expect([...read.skeleton.parents]).toEqual(parents);
    expect(read.skeleton.positions).toBeAllClose(made.skeleton.positions);
    expect(read.weights).toBeSkinWeights(4, 3);
    for (let vertex = 0; vertex < 4; vertex++) {
      const at = vertex * read.weights!.influences;
      expect(read.weights!.joints[at]).toBe(weights.joints[vertex * 2]);
      expect(read.weights!.weights[at]).toBeCloseTo(weights.weights[vertex * 2], 6);
    }
  });
});
