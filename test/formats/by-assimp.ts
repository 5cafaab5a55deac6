import { spawnSync } from "node:child_process";
import type { Reading } from "./inventory.ts";

const COUNTED = {
  meshes: "Meshes",
  materials: "Materials",
  triangles: "Faces",
  takes: "Animations",
  cameras: "Cameras",
  lights: "Lights",
};

/** Whether assimp's command line is available. */
export function hasAssimp(): boolean {
  return spawnSync("assimp", ["version"]).status === 0;
}

/** Counts what assimp finds in a file. */
export function byAssimp(file: string): Reading {
  const { stdout } = spawnSync("assimp", ["info", file], {
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  if (!/^Meshes:/m.test(stdout)) return { error: "assimp refuses it" };
  const count = (label: string) => Number(new RegExp(`^${label}: +(\\d+)`, "m").exec(stdout)?.[1]);
  return {
    inventory: Object.fromEntries(
      Object.entries(COUNTED).map(([what, label]) => [what, count(label)]),
    ),
  };
}
