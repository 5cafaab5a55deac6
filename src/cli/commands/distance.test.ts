import { readFileSync } from "node:fs";
import { PNG } from "pngjs";
import { expect, test } from "vitest";
import { makeSample } from "../../../samples/index.ts";
import { runCli, useFolder } from "../../../test/run-cli.ts";
import { writeCharacterFile } from "../../disk/character-files.ts";
import { fileFromCharacter } from "../../formats/file-from-character.ts";

const folder = useFolder();

async function writeSample(name: string): Promise<string> {
  const character = makeSample(name);
  const file = folder.at(`${name}.glb`);
  await writeCharacterFile(file, fileFromCharacter(character), character.weights!);
  return file;
}

test("distance draws the surface and a slice, and prints the range", async () => {
  const file = await writeSample("fish");
  const picture = folder.at("fish.png");
  const line = ["--bone", "tail", "--picture", picture, "--resolution", "40", "--slice", "x"];
  const run = await runCli("distance", file, ...line);
  expect(run.stderr).toBe("");
  expect(run.status).toBe(0);
  expect(run.stdout).toMatch(/tail: HollowDist[\s\S]*farthest +0\.\d+/);
  const { width, height, data } = PNG.sync.read(readFileSync(picture));
  const colors = new Set<number>();
  for (let i = 0; i < data.length; i += 4) colors.add(data.readUInt32BE(i));
  expect(width).toBeGreaterThan(height);
  expect(colors.size).toBeGreaterThan(100);
});

test("distance names the joints it could not find", async () => {
  const file = await writeSample("fish");
  const mistyped = await runCli("distance", file, "--bone", "tial");
  expect(mistyped.status).toBe(1);
  expect(mistyped.stderr).toContain('did you mean "tail"?');
  const silent = await runCli("distance", file);
  expect(silent.status).toBe(1);
  expect(silent.stderr).toContain("--bone");
});

test("coverage prints the table and writes its data and a plot", async () => {
  await writeSample("fish");
  await writeSample("mushroom");
  const [csv, picture] = [folder.at("k.csv"), folder.at("k.png")];
  const line = ["--csv", csv, "--picture", picture, "--resolution", "32"];
  const run = await runCli("coverage", folder.at("."), ...line);
  expect(run.status).toBe(0);
  expect(run.stdout).toMatch(/2 characters\n.*K = +1 +2 +3 +5 +8 +16\n +hollow( +[01]\.\d{3}){6}/);
  const rows = readFileSync(csv, "utf8").trim().split("\n");
  // Two characters, three distances, K from 1 to 16, and the names of the columns.
  expect(rows.length).toBe(2 * 3 * 16 + 1);
  const hollow = rows.filter((row) => row.startsWith("fish,hollow,"));
  const shares = hollow.map((row) => Number(row.split(",")[3]));
  expect(shares).toEqual(shares.toSorted((a, b) => a - b));
  expect(shares[15]).toBeGreaterThan(0.95);
  expect(PNG.sync.read(readFileSync(picture)).width).toBeGreaterThan(100);
});
