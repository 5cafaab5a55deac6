// FBX from small files with many repetitions.

import { describe, expect, test } from "vitest";
import { type GlbBuilder, tubeGlb } from "../../../test/helpers/glb-builder.ts";
import { InputError } from "../../input-error.ts";
import { readCharacter } from "../read-character.ts";
import { writeCharacter } from "../write-character.ts";

/** Writes a tube as FBX after a change. */
async function fbxOf(change: (json: GlbBuilder["json"]) => void) {
  const { builder } = tubeGlb({ rings: 3, joints: 3 });
  change(builder.json);
  const file = await readCharacter({ name: "tube.glb", bytes: builder.glb() });
  return writeCharacter(file, file.character.weights!, { format: "fbx" }).bytes;
}

/** Adds a chain of nodes and makes them joints. */
function chain(json: GlbBuilder["json"], count: number): void {
  const first = json.nodes.length;
  for (let n = 0; n < count; n++) {
    json.nodes.push({ name: `chain${n}`, translation: [0, 1e-3, 0], children: [first + n + 1] });
  }
  delete json.nodes.at(-1).children;
  json.nodes[0].children.push(first);
  json.skins[0] = { joints: json.nodes.map((_: unknown, n: number) => n).slice(2) };
}

describe("in linear time", () => {
  /** Ten times the joints may take ten times the processor time; quadratic time would be a hundred times. */
  test("a chain of joints", async () => {
    const seconds: number[] = [];
    for (const count of [100, 900, 9000]) {
      const start = process.cpuUsage();
      await fbxOf((json) => chain(json, count));
      const { user, system } = process.cpuUsage(start);
      seconds.push((user + system) / 1e6);
    }
    expect(seconds[2]).toBeLessThan(40 * Math.max(seconds[1], 0.05));
  });

  test("a mesh of many primitives", async () => {
    const bytes = await fbxOf((json) => {
      const [primitive] = json.meshes[0].primitives;
      json.meshes[0].primitives = Array.from({ length: 2000 }, () => ({ ...primitive }));
    });
    expect(bytes.length).toBeGreaterThan(10_000);
  });
});

describe("is refused if the file could not be read", () => {
  test("a mesh shown by thousands of nodes", async () => {
    const writing = fbxOf((json) => {
      for (let n = 0; n < 3000; n++) {
        json.nodes[0].children.push(json.nodes.length);
        json.nodes.push({ name: `twin${n}`, mesh: 0, skin: 0 });
      }
    });
    await expect(writing).rejects.toThrow(/memory limit of 1024 MB/);
  });

  test.each([
    ["vertices", (json: GlbBuilder["json"]) => (json.nodes[0].scale = [1e30, 1e30, 1e30])],
    ["joints", (json: GlbBuilder["json"]) => (json.nodes[2].translation = [1e30, 0, 0])],
  ])("%s too far away for 32-bit numbers", async (_, change) => {
    const writing = fbxOf(change);
    await expect(writing).rejects.toBeInstanceOf(InputError);
    await expect(writing).rejects.toThrow(/coordinates are too large for an FBX/);
  });
});

test("vertices that a shape separates are not joined", async () => {
  const { builder } = tubeGlb({ rings: 3, joints: 3 });
  const count = 24;
  const { attributes, indices } = builder.json.meshes[0].primitives[0];
  // Two tubes at one position, one of which the shape moves.
  const moves = new Float32Array(count * 3).fill(0.5);
  const targets = [
    { POSITION: builder.add(moves, "VEC3", { min: [0.5, 0.5, 0.5], max: [0.5, 0.5, 0.5] }) },
  ];
  builder.json.meshes[0].primitives.push({ attributes, indices, targets });
  builder.json.meshes[0].primitives[0].targets = [
    {
      POSITION: builder.add(new Float32Array(count * 3), "VEC3", {
        min: [0, 0, 0],
        max: [0, 0, 0],
      }),
    },
  ];
  const file = await readCharacter({ name: "tube.glb", bytes: builder.glb() });
  const { bytes } = writeCharacter(file, file.character.weights!, { format: "fbx" });
  const again = await readCharacter({ name: "again.fbx", bytes });
  expect(again.source.points?.get(0)?.count).toBe(2 * count);
});
