import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Reading } from "./inventory.ts";

/** A file for Blender to read. */
export interface BlenderJob {
  file: string;
  /** Path of the weights it should find, point by point. */
  weights?: string;
  /** Whether to rotate bones and check what moves. */
  pose?: boolean;
}

/** Blender's reading of a file. */
export interface BlenderReading extends Reading {
  weights?: { worst: number; compared: number; problems: string[] };
  poses?: { posed: number; wrong: string[] };
  /** Minimum and maximum of x, y, z over all meshes in their bind pose. */
  box?: number[];
}

/** Distance between two boxes as a fraction of their size; undefined if one is missing. */
export function boxShift(a: BlenderReading, b: BlenderReading): number | undefined {
  if (!a.box?.length || !b.box?.length) return undefined;
  const [one, other] = [a.box, b.box];
  const size = Math.max(...[0, 1, 2].map((axis) => one[axis + 3] - one[axis]));
  return Math.max(...one.map((value, i) => Math.abs(value - other[i]))) / size;
}

/** Reads all files in one Blender without a window. */
export function byBlender(
  blender: string,
  jobs: BlenderJob[],
  folder: string,
): Map<string, BlenderReading> {
  const [list, answers] = ["jobs.json", "answers.json"].map((name) => path.join(folder, name));
  writeFileSync(list, JSON.stringify(jobs));
  const script = path.resolve("test/blender/formats.py");
  const { status, stdout, stderr } = spawnSync(
    blender,
    ["-b", "--factory-startup", "--python-exit-code", "1", "-P", script, "--", list, answers],
    { encoding: "utf8", maxBuffer: 1 << 28 },
  );
  if (status !== 0)
    throw new Error(`Blender ended with ${status}:\n${stdout.slice(-2000)}${stderr}`);
  const read: (BlenderReading & { file: string })[] = JSON.parse(readFileSync(answers, "utf8"));
  return new Map(read.map(({ file, ...reading }) => [file, reading]));
}
