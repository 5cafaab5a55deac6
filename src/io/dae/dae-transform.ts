import { composeMat4, identityMat4, multiplyMat4 } from "../../math/mat4.ts";
import { quaternionFromAxisAngle } from "../../math/quaternion.ts";
import { type XmlElement, xmlNumbers } from "./parse-xml.ts";

/** One step of a node's transform: what it is, the name animations use for it, its numbers. */
export interface DaeStep {
  kind: string;
  sid: string;
  numbers: number[];
}

const KINDS = new Set(["matrix", "translate", "rotate", "scale", "lookat"]);

/** The transform of a COLLADA node as steps, first to last. */
export function stepsOf(node: XmlElement): DaeStep[] {
  return node.children
    .filter((child) => KINDS.has(child.name))
    .map((child) => ({
      kind: child.name,
      sid: child.attributes.sid ?? "",
      numbers: xmlNumbers(child),
    }));
}

/** The product of a node's steps, column by column. */
export function daeMatrix(steps: DaeStep[]): number[] {
  return steps.reduce(
    (product, step) => multiplyMat4(product, product, stepMatrix(step)),
    identityMat4(),
  );
}

/** 16 numbers row by row, as COLLADA writes them, column by column. */
export function fromRows(rows: ArrayLike<number>): number[] {
  return Array.from({ length: 16 }, (_, i) => rows[(i % 4) * 4 + Math.floor(i / 4)]);
}

function stepMatrix({ kind, numbers: n }: DaeStep): number[] {
  const still = [0, 0, 0, 1];
  if (kind === "matrix" && n.length === 16) return fromRows(n);
  if (kind === "translate" && n.length === 3) return composeMat4(n, still);
  if (kind === "scale" && n.length === 3) return composeMat4([0, 0, 0], still, n);
  if (kind === "rotate" && n.length === 4 && Math.hypot(n[0], n[1], n[2]) > 0) {
    return composeMat4([0, 0, 0], quaternionFromAxisAngle(n, (n[3] * Math.PI) / 180));
  }
  return identityMat4();
}
