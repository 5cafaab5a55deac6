import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { Character } from "../src/character/character.ts";
import { readCharacterFile, shippedModel } from "../src/disk/character-files.ts";
import { glbFromCharacter, readCharacter, writeCharacter } from "../src/formats/index.ts";
import { METHOD_NAMES, skin } from "../src/index.ts";
import { isNetwork } from "../src/models.ts";
import { parseBody } from "../src/serve/api/parse-body.ts";
import { readCharacterOf } from "../src/serve/lines/requests.ts";
import type { SkinWeights } from "../src/weights/skin-weights.ts";

/** Arms of the star, and rings of vertices on each. */
const ARMS = 5;
const RINGS = 12;
const SIDES = 6;

/**
 * A star of five arms in the plane z = 0, with one root and five bones that start at its position: they differ
 * only by their ends.
 */
function star(): Character & { armOf: Int32Array } {
  const positions: number[] = [];
  const triangles: number[] = [];
  const armOf: number[] = [];
  const ends: number[] = [0, 0, 0];
  for (let arm = 0; arm < ARMS; arm++) {
    const angle = (arm / ARMS) * 2 * Math.PI + 0.3;
    const [x, y] = [Math.cos(angle), Math.sin(angle)];
    ends.push(x, y, 0);
    const first = positions.length / 3;
    for (let ring = 0; ring <= RINGS; ring++) {
      const along = 0.02 + (1.08 * ring) / RINGS;
      for (let side = 0; side < SIDES; side++) {
        const turn = (side / SIDES) * 2 * Math.PI;
        const [across, up] = [0.12 * Math.cos(turn), 0.12 * Math.sin(turn)];
        positions.push(x * along - y * across, y * along + x * across, up);
        armOf.push(along > 0.35 ? arm : -1);
        const [a, b] = [first + ring * SIDES + side, first + ring * SIDES + ((side + 1) % SIDES)];
        if (ring < RINGS) triangles.push(a, b, a + SIDES, b, b + SIDES, a + SIDES);
      }
    }
    for (const [ring, isLast] of [
      [0, false],
      [RINGS, true],
    ] as const) {
      const at = first + ring * SIDES;
      for (let side = 1; side + 1 < SIDES; side++) {
        triangles.push(at, at + side + (isLast ? 0 : 1), at + side + (isLast ? 1 : 0));
      }
    }
  }
  const names = ["root", ...Array.from({ length: ARMS }, (_, arm) => `arm${arm}`)];
  return {
    name: "star",
    armOf: Int32Array.from(armOf),
    mesh: { positions: Float32Array.from(positions), triangles: Uint32Array.from(triangles) },
    skeleton: {
      names,
      parents: Int32Array.from([-1, 0, 0, 0, 0, 0]),
      positions: new Float32Array((ARMS + 1) * 3),
      ends: Float32Array.from(ends),
    },
  };
}

/** Fraction of the arms' vertices whose heaviest joint is their arm's. */
function followed({ armOf }: ReturnType<typeof star>, { influences, joints }: SkinWeights): number {
  const own = Array.from(armOf.keys()).filter((v) => armOf[v] >= 0);
  return own.filter((v) => joints[v * influences] === armOf[v] + 1).length / own.length;
}

let model: Uint8Array;
beforeAll(async () => {
  model = await shippedModel();
});

describe.each(METHOD_NAMES)("%s", (method) => {
  test("moves each arm of a star with its bone, although all bones start at one point", async () => {
    const made = star();
    const network = isNetwork(method)
      ? { model: method === "network" ? model : await shippedModel(method) }
      : {};
    const { weights } = await skin(made, { method, ...network });
    expect(followed(made, weights)).toBeGreaterThan(0.99);
  });
});

test("without ends, the bones of the star are indistinguishable", async () => {
  const made = star();
  const { ends: _, ...skeleton } = made.skeleton;
  const { weights } = await skin({ ...made, skeleton }, { method: "heat" });
  expect(followed(made, weights)).toBeLessThan(0.5);
});

test.each(["glb", "fbx"] as const)("a %s is read with bone ends from its nodes", async (format) => {
  const made = star();
  const file = await readCharacter({ name: "star.glb", bytes: glbFromCharacter(made) });
  expect(file.character.skeleton.ends).toBeAllClose(made.skeleton.ends!, 1e-6);
  const { bytes } = writeCharacter(file, file.character.weights!, { format });
  const again = await readCharacter({ name: `star.${format}`, bytes });
  expect(again.character.skeleton.names).toEqual(made.skeleton.names);
  expect(again.character.skeleton.ends).toBeAllClose(made.skeleton.ends!, 1e-5);
});

test("ends that are not three numbers per joint are an error", async () => {
  const made = star();
  const skeleton = { ...made.skeleton, ends: new Float32Array(3) };
  await expect(skin({ ...made, skeleton }, { method: "heat" })).rejects.toThrow(
    "has bone ends that are not three numbers for each joint",
  );
});

test("requests of the worker and the API contain ends", async () => {
  const { mesh, skeleton } = star();
  const plain = (values: ArrayLike<number>) => Array.from(values);
  const request = {
    mesh: { positions: plain(mesh.positions), triangles: plain(mesh.triangles) },
    skeleton: {
      names: skeleton.names,
      parents: plain(skeleton.parents),
      positions: plain(skeleton.positions),
      ends: plain(skeleton.ends!),
    },
  };
  expect(readCharacterOf(request, "").skeleton.ends).toEqual(skeleton.ends);
  const to = path.join(mkdtempSync(path.join(tmpdir(), "heterskin-ends-")), "star.glb");
  await parseBody({ body: new TextEncoder().encode(JSON.stringify(request)), to });
  const { character } = await readCharacterFile(to);
  rmSync(path.dirname(to), { recursive: true });
  expect(character.skeleton.ends).toBeAllClose(skeleton.ends!, 1e-6);
});
