import { InputError } from "../../input-error.ts";
import { readRow, rowCount } from "../../weights/skin-weights.ts";
import type { Budget } from "../budget.ts";
import { createRowBuilder, isNumber, objectOf, pointsOf, type WeightFile } from "./weight-file.ts";

/** One layer of ngSkinTools 2: dense lists of weights by influence, blended over the layers before it. */
interface NgLayer {
  id: number;
  name: string;
  parentId: number | null;
  children: number[];
  enabled: boolean;
  opacity: number;
  influences: Record<string, number[] | { weights: number[] }>;
  mask?: number[];
}

interface NgFile {
  influences: { path?: string; name?: string; index?: number; pivot?: number[] }[];
  layers: Partial<NgLayer>[];
  mesh?: { vertPositions?: number[]; triangles?: number[]; name?: string };
}

/**
 * Writes the JSON that ngSkinTools 2 exports and imports: the influences with their pivots, one layer with all
 * weights, and the mesh. A file holds one mesh.
 */
export function formatNgSkin({ joints, positions, meshes }: WeightFile): string {
  const [mesh] = meshes;
  const count = rowCount(mesh.weights);
  const lists = new Map<number, number[]>();
  for (let p = 0; p < count; p++) {
    const { joints: row, values } = readRow(mesh.weights, p);
    row.forEach((joint, i) => {
      const list = lists.get(joint) ?? new Array<number>(count).fill(0);
      lists.set(joint, list);
      list[p] = Number(values[i].toPrecision(9));
    });
  }
  const layer: NgLayer = {
    id: 1,
    name: "base weights",
    parentId: null,
    children: [],
    enabled: true,
    opacity: 1,
    influences: Object.fromEntries(lists),
  };
  const file: NgFile = {
    mesh: {
      name: mesh.name,
      vertPositions: numbersOf(mesh.points),
      triangles: Array.from(mesh.triangles ?? []),
    },
    influences: joints.map((name, index) => ({
      index,
      path: name,
      pivot: numbersOf(positions?.subarray(index * 3, index * 3 + 3)),
      labelText: "",
      labelSide: "center",
    })),
    layers: [layer],
  };
  return `${JSON.stringify(file)}\n`;
}

function numbersOf(list: Float32Array | undefined): number[] {
  return Array.from(list ?? [], (value) => Number(value.toPrecision(9)));
}

/** Reads the JSON that ngSkinTools 2 exports; its layers are blended by opacity and mask. */
export function parseNgSkin(budget: Budget, json: object): WeightFile {
  const { influences = [], layers = [], mesh } = json as Record<string, unknown>;
  if (!Array.isArray(influences) || !Array.isArray(layers)) {
    throw new InputError(
      `${budget.name}: this JSON is not of ngSkinTools; export the weights again.`,
    );
  }
  const listed = influences.map(objectOf);
  const joints = listed.map(({ path, name }) => String(path ?? name ?? ""));
  const slotOf = new Map(listed.map(({ index }, slot) => [String(index ?? slot), slot]));
  const blended = new Map<number, BlendedRow>();
  for (const layer of layers.map(objectOf)) {
    if (layer.enabled !== false) blend(blended, layer, slotOf);
  }
  const rows = createRowBuilder(budget);
  for (const [point, { scale, weights }] of blended) {
    for (const [joint, weight] of weights) rows.add(point, joint, weight * scale);
  }
  const { name, vertPositions } = objectOf(mesh);
  const points = pointsOf(vertPositions);
  const weights = rows.build((points?.length ?? 0) / 3);
  return { joints, meshes: [{ name: String(name ?? ""), points, weights }] };
}

/** Weights of a point by joint, to be multiplied by `scale`, so that another layer changes one number. */
interface BlendedRow {
  scale: number;
  weights: Map<number, number>;
}

/** A layer that leaves less than this fraction visible hides the layers under it. */
const INVISIBLE = 1e-9;

/** Below this scale, the weights are multiplied by it, before they overflow. */
const SMALLEST_SCALE = 1e-280;

function blend(
  rows: Map<number, BlendedRow>,
  { influences, opacity, mask }: Record<string, unknown>,
  slotOf: Map<string, number>,
): void {
  const lists = Object.entries(objectOf(influences)).flatMap(([key, value]) => {
    const joint = slotOf.get(key);
    const weights: unknown = Array.isArray(value) ? value : objectOf(value).weights;
    return joint === undefined || !Array.isArray(weights) ? [] : [{ joint, weights }];
  });
  const sums = new Map<number, number>();
  const eachWeight = (use: (point: number, weight: number, joint: number) => void) => {
    for (const { joint, weights } of lists) {
      weights.forEach((weight: unknown, point) => {
        if (isNumber(weight) && weight > 0) use(point, weight, joint);
      });
    }
  };
  eachWeight((point, weight) => sums.set(point, (sums.get(point) ?? 0) + weight));
  const masked: unknown[] = Array.isArray(mask) ? mask : [];
  const shares = new Map<number, number>();
  for (const point of sums.keys()) {
    const share = rows.has(point) ? fraction(opacity) * fraction(masked[point]) : 1;
    shares.set(point, share);
    rows.set(point, coveredRow(rows.get(point), share));
  }
  eachWeight((point, weight, joint) => {
    const { scale, weights } = rows.get(point)!;
    const added = ((weight / sums.get(point)!) * shares.get(point)!) / scale;
    weights.set(joint, (weights.get(joint) ?? 0) + added);
  });
}

/** Returns what a layer leaves of the layers under it. */
function coveredRow(row: BlendedRow | undefined, share: number): BlendedRow {
  if (!row || 1 - share < INVISIBLE) return { scale: 1, weights: new Map() };
  row.scale *= 1 - share;
  if (row.scale >= SMALLEST_SCALE) return row;
  for (const [joint, weight] of row.weights) row.weights.set(joint, weight * row.scale);
  row.scale = 1;
  return row;
}

/** A fraction from 0 to 1; 1 where the file has none. */
function fraction(value: unknown): number {
  return isNumber(value) ? Math.min(Math.max(value, 0), 1) : 1;
}
