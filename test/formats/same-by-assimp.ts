import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

interface AssimpNode {
  name: string;
  meshes?: number[];
  children?: AssimpNode[];
}

interface AssimpScene {
  rootnode: AssimpNode;
  meshes: {
    materialindex: number;
    faces: number[][];
    bones?: { name: string; weights: [number, number][] }[];
  }[];
  materials: { properties: { key: string; value: unknown }[] }[];
  animations?: { name: string; duration: number; tickspersecond: number }[];
}

/** assimp's reading, in a form that does not depend on how vertices are split. */
interface AssimpFacts {
  /** By node and material: each corner's weights, by bone. */
  corners: Map<string, Record<string, number>[]>;
  bones: string[];
  /** Seconds by take. */
  takes: Record<string, number>;
}

/** Lets assimp read a file and write everything it knows as JSON; undefined if it crashes. */
export function readByAssimp(file: string): AssimpFacts | undefined {
  const out = `${file}.assjson`;
  const { status, stdout } = spawnSync("assimp", ["export", file, out, "-fassjson"], {
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  if (status === null) return undefined;
  if (status !== 0) throw new Error(`assimp cannot read ${file}: ${stdout.slice(-300)}`);
  const scene = JSON.parse(readFileSync(out, "utf8")) as AssimpScene;
  const corners: AssimpFacts["corners"] = new Map();
  const visit = (node: AssimpNode): void => {
    for (const index of node.meshes ?? []) addCorners(scene, node.name, index, corners);
    for (const child of node.children ?? []) visit(child);
  };
  visit(scene.rootnode);
  const bones = scene.meshes.flatMap((mesh) => (mesh.bones ?? []).map(({ name }) => name));
  const takes = (scene.animations ?? []).map(
    ({ name, duration, tickspersecond }) => [name, duration / tickspersecond] as const,
  );
  return { corners, bones: [...new Set(bones)].sort(), takes: Object.fromEntries(takes) };
}

function addCorners(
  { meshes, materials }: AssimpScene,
  node: string,
  index: number,
  corners: AssimpFacts["corners"],
): void {
  const { materialindex, faces, bones = [] } = meshes[index];
  if (bones.length === 0) return;
  const rows: Record<string, number>[] = [];
  for (const { name, weights } of bones) {
    for (const [vertex, weight] of weights) {
      rows[vertex] ??= {};
      rows[vertex][name] = (rows[vertex][name] ?? 0) + weight;
    }
  }
  const label = materials[materialindex]?.properties.find(({ key }) => key === "?mat.name");
  const key = `${node}/${label?.value}`;
  const list = corners.get(key) ?? [];
  corners.set(key, list);
  for (const face of faces) for (const vertex of face) list.push(rows[vertex] ?? {});
}

/** Describes how two readings differ; empty if they do not. */
export function assimpDifferences(one: AssimpFacts, other: AssimpFacts): string[] {
  const found: string[] = [];
  if (one.bones.join() !== other.bones.join()) {
    found.push(`bones ${one.bones.length} and ${other.bones.length}`);
  }
  for (const [take, seconds] of Object.entries(one.takes)) {
    const same = other.takes[take];
    if (!(Math.abs(same - seconds) < 0.01)) found.push(`${take}: ${seconds} and ${same} seconds`);
  }
  if (Object.keys(one.takes).length !== Object.keys(other.takes).length) found.push("takes");
  for (const [key, rows] of one.corners) {
    const same = other.corners.get(key);
    if (same?.length !== rows.length)
      found.push(`${key}: ${rows.length} and ${same?.length} corners`);
    else {
      const off = rows.reduce((worst, row, i) => Math.max(worst, rowDifference(row, same[i])), 0);
      if (off > 1e-4) found.push(`${key}: weights differ by ${off}`);
    }
  }
  return found;
}

/**
 * Describes how an FBX that was edited in place differs from the GLB of the same character: it keeps its
 * polygons, and bones without weight have no cluster.
 */
export function editedDifferences(glb: AssimpFacts, fbx: AssimpFacts): string[] {
  const found: string[] = [];
  const lacking = (from: string[], to: string[], what: string) => {
    const absent = from.filter((each) => !to.includes(each));
    if (absent.length > 0) found.push(`${what} missing: ${absent.join()}`);
  };
  lacking(Object.keys(glb.takes), Object.keys(fbx.takes), "takes");
  lacking([...glb.corners.keys()], [...fbx.corners.keys()], "meshes");
  for (const [key, rows] of glb.corners) {
    const own = distinct(rows);
    const same = distinct(fbx.corners.get(key) ?? []);
    for (const [a, b] of [
      [own, same],
      [same, own],
    ]) {
      const far = a.filter((row) => !b.some((other) => rowDifference(row, other) <= 1e-4));
      if (far.length > 0) found.push(`${key}: ${far.length} of ${a.length} rows differ`);
    }
  }
  return found;
}

/** Rows that differ by more than rounding. */
function distinct(rows: Record<string, number>[]): Record<string, number>[] {
  const byText = new Map<string, Record<string, number>>();
  for (const row of rows) {
    const kept = Object.entries(row).filter(([, weight]) => weight > 1e-5);
    const text = kept.map(([name, weight]) => `${name} ${weight.toFixed(5)}`);
    byText.set(text.sort().join(), row);
  }
  return [...byText.values()];
}

function rowDifference(a: Record<string, number>, b: Record<string, number>): number {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return Math.max(0, ...[...names].map((name) => Math.abs((a[name] ?? 0) - (b[name] ?? 0))));
}
