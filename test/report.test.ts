import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { glbOf, tube } from "./helpers/odd-characters.ts";
import { runCli, useFolder } from "./helpers/run-cli.ts";
import { differences, type Schema } from "./helpers/schema-differences.ts";

const folder = useFolder();

const schema: Schema = JSON.parse(readFileSync("docs/report.schema.json", "utf8"));

async function reportOf(bytes: Uint8Array, ...more: string[]) {
  writeFileSync(folder.at("in.glb"), bytes);
  const run = await runCli(
    "bind",
    folder.at("in.glb"),
    folder.at("out.glb"),
    "--report",
    folder.at("r.json"),
    "--force",
    ...more,
  );
  expect(run.status).toBe(0);
  return { report: JSON.parse(readFileSync(folder.at("r.json"), "utf8")), lines: run.stdout };
}

describe("the report of bind", () => {
  test.each(["network", "heat", "hollow", "inverse-distance"])(
    "by %s matches its schema",
    async (method) => {
      const { report } = await reportOf(glbOf(tube()), "--method", method, "--resolution", "40");
      expect(differences(report, schema)).toEqual([]);
      expect(report.bleed === undefined).toBe(method === "inverse-distance");
    },
  );

  test("lists doubts and repairs, in JSON and on one screen", async () => {
    const { mesh, skeleton, name } = tube();
    const positions = Float32Array.of(
      ...mesh.positions,
      // A floating triangle, with one corner repeated.
      1,
      1,
      0,
      1.01,
      1,
      0,
      1,
      1.01,
      0,
      1,
      1,
      0,
    );
    const first = mesh.positions.length / 3;
    const triangles = Uint32Array.of(
      ...mesh.triangles,
      first,
      first + 1,
      first + 2,
      first,
      first + 3,
      first + 1,
    );
    const bytes = glbOf({ name, mesh: { positions, triangles }, skeleton });
    const { report, lines } = await reportOf(bytes, "--method", "heat", "--max-influences", "1");
    expect(differences(report, schema)).toEqual([]);
    const { vertices, bones } = report.doubtful;
    expect(vertices.reasons.unreachable.first).toEqual([first, first + 1, first + 2, first + 3]);
    expect(vertices.reasons.clipped.count).toBeGreaterThan(10);
    expect(vertices.count).toBeGreaterThanOrEqual(vertices.reasons.clipped.count);
    expect(bones.list.every((bone: { name: string }) => /^bone\d$/.test(bone.name))).toBe(true);
    expect(report.repaired).toEqual([expect.stringMatching(/^1 triangle has no area/)]);
    expect(lines).toMatch(/doubtful +\d+ vertices \(\d+ %\): .*4 in loose parts no bone reaches/);
    expect(lines).toMatch(/bleed +[\d.]+ %/);
    expect(lines.split("\n").length).toBeLessThan(24);
  });

  test("lists the finishing of the weights, by default and with options", async () => {
    const usual = await reportOf(glbOf(tube()), "--method", "inverse-distance");
    const { mirror, ...defaults } = usual.report.options;
    expect(mirror).toBeUndefined();
    expect(defaults).toEqual({
      prune: 0.01,
      adapt: 0.06,
      smooth: 0,
      lock: [],
      keepExisting: false,
      blend: 0,
      exclude: [],
      allJoints: false,
      rigidIslands: false,
    });
    const asked = await reportOf(
      glbOf(tube()),
      "--method",
      "inverse-distance",
      "--prune",
      "0",
      "--adapt",
      "0.2",
      "--smooth",
      "2",
      "--mirror",
      "x+",
      "--exclude",
      "bone1",
      "--all-joints",
      "--rigid-islands",
    );
    expect(asked.report.options).toEqual({
      prune: 0,
      adapt: 0.2,
      smooth: 2,
      mirror: "x+",
      lock: [],
      keepExisting: false,
      blend: 0,
      exclude: ["bone1"],
      allJoints: true,
      rigidIslands: true,
    });
    expect(differences(asked.report, schema)).toEqual([]);
    const named = asked.report.doubtful.bones.list.map((bone: { name: string }) => bone.name);
    expect(named).not.toContain("bone1");
  });

  test("reports differences from the schema", () => {
    expect(differences({}, schema)).toContain("report.doubtful is missing");
    expect(differences({ heterskin: 1 }, schema)).toContain(
      "report.heterskin is number, not string",
    );
    expect(differences({ more: 1 }, schema)).toContain("report.more is not in the schema");
  });
});

describe("determinism", () => {
  test.each(["network", "paper", "heat", "geodesic-voxel"])(
    "%s writes the same bytes again",
    async (method) => {
      writeFileSync(folder.at("in.glb"), glbOf(tube(16, 12, 6)));
      const bind = async (out: string, ...more: string[]) => {
        const args = ["bind", folder.at("in.glb"), folder.at(out), "--method", method, ...more];
        expect(await runCli(...args, "--provider", "cpu")).toMatchObject({ status: 0 });
        return readFileSync(folder.at(out), "base64");
      };
      const once = await bind("once.glb");
      expect(await bind("twice.glb")).toBe(once);
      expect(await bind("threads.glb", "--threads", "2")).toBe(once);
    },
  );
});
