import { chooseBind, keepBind } from "../binds.ts";
import type { KeptBind } from "../kept-bind.ts";
import type { Store } from "../store.ts";
import type { Hit } from "../view/pick.ts";
import { type Brush, dab, touchedVertices } from "./brush-stroke.ts";
import { copyWeights } from "./row-changes.ts";

/** The weights a stroke may change: those of the file stay as they came, and a copy is painted. */
export function paintable({ state }: Store, bind: KeptBind): KeptBind {
  if (bind.origin !== "file") return bind;
  const { id, isPainted: _, isSaved: __, ...rest } = bind;
  const copy = keepBind(state, {
    ...rest,
    origin: "copy",
    title: "A copy of the file's weights",
    detail: "yours to paint",
    weights: copyWeights(bind.weights),
  });
  if (state.other === id) state.other = copy.id;
  else chooseBind(state, copy.id);
  return copy;
}

/** How a stroke paints just now. */
export interface StrokeKind {
  /** Of the pen, 0 to 1. */
  pressure: number;
  kind: Brush;
}

/** What a stroke does: as chosen, but Ctrl subtracts and Shift smooths. */
export function strokeKind(
  chosen: Brush,
  keys: Pick<PointerEvent, "ctrlKey" | "metaKey" | "shiftKey">,
): Brush {
  if (keys.shiftKey) return "smooth";
  if (keys.ctrlKey || keys.metaKey) return chosen === "subtract" ? "add" : "subtract";
  return chosen;
}

/** Gives the chosen joint a weight on all vertices that it may have any of, in place; locks hold. */
export function fillAll({ state }: Store, target: KeptBind): void {
  const { weights } = target;
  const places = weights.weights.length / weights.influences;
  const touched = Array.from({ length: places }, (_, vertex) => ({ vertex, reach: 1 }));
  const { brush, joint, locked } = state;
  const settings = { kind: "replace" as const, strength: brush.strength, locked };
  dab(weights, touched, { ...settings, neighbors: NO_LISTS, joint });
}

/**
 * Puts a dab of the brush where the pointer is, on one side or both.
 */
export function paintAt(
  { state }: Store,
  target: KeptBind,
  hit: Hit,
  { pressure, kind }: StrokeKind,
): void {
  const { brush, joint, locked, facts } = state;
  const { body, point, normal } = hit;
  const touched = touchedVertices(
    body.positions(),
    body.normals(),
    point.toArray(),
    normal.toArray(),
    brush.radius,
    brush.isThrough,
  );
  // Smoothing waits for the neighbors, mirroring for the symmetry; neither keeps the page waiting.
  const neighbors = facts?.neighbors ?? NO_LISTS;
  if (kind === "smooth" && !facts) return;
  const strength = brush.strength * pressure;
  const settings = { kind, strength, locked, neighbors };
  dab(target.weights, touched, { ...settings, joint });
  if (!brush.isMirrored || !facts) return;
  const { partners, twins } = facts.symmetry;
  const own = new Set(touched.map(({ vertex }) => vertex));
  const across = touched
    .map(({ vertex, reach }) => ({ vertex: partners[vertex], reach }))
    .filter(({ vertex }) => vertex >= 0 && !own.has(vertex));
  dab(target.weights, across, { ...settings, joint: twins[joint] < 0 ? joint : twins[joint] });
}

const NO_LISTS = { starts: new Int32Array(1), items: new Int32Array(0) };
