import type { Curve } from "../curve.ts";
import { childOf, childrenNamed } from "../tree.ts";
import type { FbxDocument } from "./fbx-document.ts";
import { type FbxNode, numbersOf } from "./fbx-node.ts";
import type { FbxPose } from "./fbx-transform.ts";

/** One curve of a take of FBX 6, and what it drives. */
export interface SixCurve extends Curve {
  /** Of the model. */
  id: string;
  part: keyof FbxPose;
  axis: number;
}

const PARTS = [
  ["T", "translation"],
  ["R", "rotation"],
  ["S", "scale"],
] as const;

/** The takes of an FBX 6 file, which keeps them apart from its objects. */
export function readSixTakes({ root }: FbxDocument): { name: string; curves: SixCurve[] }[] {
  return childrenNamed(childOf(root, "Takes"), "Take").map((take) => ({
    name: String(take.values[0] ?? "take"),
    curves: childrenNamed(take, "Model").flatMap(modelCurves),
  }));
}

function modelCurves(model: FbxNode): SixCurve[] {
  const id = String(model.values[0]);
  const transform = channelOf(model, "Transform");
  return PARTS.flatMap(([label, part]) =>
    ["X", "Y", "Z"].flatMap((axis, index) => {
      const curve = channelOf(channelOf(transform, label), axis);
      const keys = curve && keysOf(curve);
      return keys && keys.times.length > 0 ? [{ id, part, axis: index, ...keys }] : [];
    }),
  );
}

function channelOf(node: FbxNode | undefined, name: string): FbxNode | undefined {
  return childrenNamed(node, "Channel").find(({ values }) => values[0] === name);
}

/** Keys are a time, a value, a letter for what comes between, and what that letter asks for. */
function keysOf(curve: FbxNode): { times: number[]; values: number[] } {
  const list = childOf(curve, "Key")?.values ?? [];
  const [count = 0] = Array.from(numbersOf(curve, "KeyCount"));
  const arePlain = list.length === count * 3;
  const [times, values]: number[][] = [[], []];
  for (let at = 0; at + 2 < list.length; ) {
    const [time, value, letter] = list.slice(at, at + 3);
    const isKey =
      typeof time === "number" &&
      typeof value === "number" &&
      (arePlain || (typeof letter === "string" && /^[A-Z]$/.test(letter)));
    if (isKey && !(times.length > 0 && time <= times[times.length - 1])) {
      times.push(time);
      values.push(value);
    }
    at += isKey ? 3 : 1;
  }
  if (times.length > 0) return { times, values };
  const [still] = Array.from(numbersOf(curve, "Default"));
  return Number.isFinite(still) ? { times: [0], values: [still] } : { times, values };
}
