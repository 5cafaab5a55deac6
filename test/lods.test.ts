import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Character } from "../src/character/character.ts";
import { glbFromCharacter } from "../src/formats/index.ts";
import { lods, skin, transfer } from "../src/index.ts";
import { readCharacterFile } from "../src/node.ts";
import { limitInfluences } from "../src/weights/weight-locks.ts";
import { dense } from "./helpers/random-weights.ts";
import { runCli, useFolder } from "./helpers/run-cli.ts";

const folder = useFolder();

/** A tube with a chain of joints and twist joints next to it; the number of rings depends on the level. */
function tube(rings: number): Character {
  const positions: number[] = [];
  const triangles: number[] = [];
  for (let ring = 0; ring < rings; ring++) {
    for (let side = 0; side < 8; side++) {
      const turn = (side / 8) * 2 * Math.PI;
      positions.push(0.2 * Math.cos(turn), (2 * ring) / (rings - 1), 0.2 * Math.sin(turn));
      const [a, b] = [ring * 8 + side, ring * 8 + ((side + 1) % 8)];
      if (ring + 1 < rings) triangles.push(a, a + 8, b, b, a + 8, b + 8);
    }
  }
  return {
    name: "tube",
    mesh: { positions: Float32Array.from(positions), triangles: Uint32Array.from(triangles) },
    skeleton: {
      names: ["hip", "knee", "toe_l", "toe_r"],
      parents: Int32Array.of(-1, 0, 1, 1),
      positions: Float32Array.of(0, 0, 0, 0, 0.8, 0, 0.1, 1.6, 0, -0.1, 1.6, 0),
    },
  };
}

const bound = async () => {
  const character = tube(21);
  const { weights } = await skin(character, { method: "heat", maxInfluences: 8, prune: 0 });
  return { ...character, weights };
};

describe("lods", () => {
  test("transfers every level from level 0, with its own limit on influences", async () => {
    const source = await bound();
    const meshes = [tube(11).mesh, tube(6).mesh, tube(3).mesh];
    const levels = await lods(source, meshes, { maxInfluences: [2, 1] });
    expect(levels.map(({ weights }) => weights.influences)).toEqual([2, 1, 1]);
    for (const [index, mesh] of meshes.entries()) {
      const maxInfluences = [2, 1, 1][index];
      const { weights } = await transfer(source, mesh, { maxInfluences });
      expect(levels[index].weights).toEqual(weights);
    }
  });

  test("copies the weights of coincident vertices of level 0, so that levels move alike", async () => {
    const source = await bound();
    const limits = [8, 2, 1];
    // Levels have every second, fourth and fifth ring.
    const steps = [2, 4, 5];
    const meshes = steps.map((step) => tube(20 / step + 1).mesh);
    const levels = await lods(source, meshes, { maxInfluences: limits, prune: 0 });
    for (const [index, { weights }] of levels.entries()) {
      const step = steps[index];
      const wanted = dense(limitInfluences(source.weights, limits[index]), 4);
      const rows = dense(weights, 4);
      expect(rows.length).toBe(8 * (20 / step + 1));
      rows.forEach((row, v) => {
        expect(row).toBeAllClose(wanted[Math.floor(v / 8) * step * 8 + (v % 8)], 1e-5);
      });
    }
  });

  test("moves the weight of dropped joints to kept ancestors, from their level on", async () => {
    const source = await bound();
    const { mesh } = tube(11);
    const options = { maxInfluences: [8], prune: 0 };
    const [whole] = await lods(source, [mesh], options);
    const dropJoints = [["toe_*"], ["knee"]];
    const levels = await lods(source, [mesh, mesh], { ...options, dropJoints });
    const rows = [whole, ...levels].map(({ weights }) => dense(weights, 4));
    rows[0].forEach(([hip, knee, left, right], v) => {
      expect(rows[1][v]).toBeAllClose([hip, knee + left + right, 0, 0], 1e-6);
      expect(rows[2][v]).toBeAllClose([1, 0, 0, 0], 1e-6);
    });
    expect(rows[0].some(([, , left]) => left > 0.1)).toBe(true);
  });

  test("reports progress over all levels, and is canceled by its signal", async () => {
    const source = await bound();
    const meshes = [tube(11).mesh, tube(6).mesh];
    const fractions: number[] = [];
    await lods(source, meshes, {
      onProgress(stage, fraction) {
        expect(stage).toBe("transfer");
        fractions.push(fraction);
      },
    });
    expect(fractions).toEqual([0.5, 1]);
    const stop = new AbortController();
    const running = lods(source, meshes, {
      signal: stop.signal,
      onProgress: () => stop.abort(),
    });
    expect(await running.catch((reason) => reason)).toBe(stop.signal.reason);
  });

  test("refuses to drop a root, unknown joints and options", async () => {
    const source = await bound();
    const meshes = [tube(6).mesh];
    await expect(lods(source, meshes, { dropJoints: [["hip"]] })).rejects.toThrow(/no ancestor/);
    await expect(lods(source, meshes, { dropJoints: [["tail"]] })).rejects.toThrow(
      /no joint "tail"/,
    );
    await expect(lods(source, meshes, { maxInfluences: [9] })).rejects.toThrow(
      /from 1 to 8, got 9/,
    );
    await expect(lods(source, meshes, { influences: [1] } as object)).rejects.toThrow(/no option/);
  });
});

describe("bind --lods", () => {
  const write = (name: string, rings: number) =>
    writeFileSync(folder.at(name), glbFromCharacter(tube(rings)));
  const weightsIn = async (name: string) => (await readCharacterFile(folder.at(name))).character;

  test("binds all levels in one solve, with the influences and dropped joints of each", async () => {
    write("hero.glb", 21);
    write("lod1.glb", 11);
    write("lod2.glb", 6);
    const { status, stdout } = await runCli(
      ...["bind", folder.at("hero.glb"), folder.at("out.fbx"), "--method", "heat"],
      ...["--lods", `${folder.at("lod1.glb")},${folder.at("lod2.glb")}`],
      ...["--max-influences", "4,2,1", "--drop-joints", "2:toe_*"],
    );
    expect(status).toBe(0);
    expect(stdout).toMatch(/level 1 .*lod1\.skinned\.glb: 88 vertices, 100 % matched, at most 2/);
    expect(folder.list()).toEqual([
      ...["hero.glb", "lod1.glb", "lod1.skinned.glb", "lod2.glb", "lod2.skinned.glb", "out.fbx"],
    ]);
    const [one, two] = [await weightsIn("lod1.skinned.glb"), await weightsIn("lod2.skinned.glb")];
    expect(one.skeleton.names).toEqual(tube(2).skeleton.names);
    expect(dense(one.weights!, 4).every((row) => row.filter((w) => w > 0).length <= 2)).toBe(true);
    const rows = dense(two.weights!, 4);
    expect(rows.every((row) => row.filter((w) => w > 0).length === 1)).toBe(true);
    expect(rows.every(([, , left, right]) => left === 0 && right === 0)).toBe(true);
  });

  test("writes levels to the folder of the output, and nothing if one cannot be written", async () => {
    write("hero.glb", 21);
    write("lod1.glb", 11);
    const run = (...argv: string[]) =>
      runCli("bind", folder.at("hero.glb"), ...argv, "--method", "heat");
    const clash = await run(folder.at("lod1.skinned.glb"), "--lods", folder.at("lod1.glb"));
    expect(clash).toMatchObject({ status: 1 });
    expect(clash.stderr).toContain("two outputs have this name");
    const bad = await run("--lods", folder.at("lod1.glb"), "--drop-joints", "5:toe_l");
    expect(bad.stderr).toContain("must name a level from 1 to 1");
    expect((await run("--max-influences", "4,2")).stderr).toContain("without --lods");
    expect(folder.list()).toEqual(["hero.glb", "lod1.glb"]);
  });

  test("writes levels in the requested format, which a dry run reports", async () => {
    write("hero.glb", 21);
    write("lod1.glb", 11);
    const [hero, out, lod] = ["hero.glb", "out.fbx", "lod1.glb"].map(folder.at);
    const argv = ["bind", hero, out, "--method", "heat", "--lods", lod, "--format", "fbx"];
    const { stdout } = await runCli(...argv, "--dry-run", "--json");
    const level = folder.at("lod1.fbx");
    expect(JSON.parse(stdout)).toEqual({ dryRun: true, reads: [hero, lod], writes: [out, level] });
    expect(folder.list()).toEqual(["hero.glb", "lod1.glb"]);
    expect((await runCli(...argv)).status).toBe(0);
    expect(readFileSync(level).subarray(0, 11).toString()).toBe("Kaydara FBX");
    const taken = await runCli(...argv.with(2, folder.at("new.fbx")), "--dry-run");
    expect([taken.status, taken.stderr]).toEqual([1, expect.stringMatching(/lod1\.fbx: the file/)]);
  });

  test("needs the name of the output, because levels are written next to it", async () => {
    write("hero.glb", 21);
    write("lod1.glb", 11);
    const run = await runCli("bind", folder.at("hero.glb"), "-", "--lods", folder.at("lod1.glb"));
    expect([run.status, run.stderr]).toEqual([1, expect.stringMatching(/give it a name/)]);
  });
});
