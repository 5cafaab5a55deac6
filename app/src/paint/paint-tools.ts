import { chooseBind, keepBind } from "../binds.ts";
import type { KeptBind } from "../kept-bind.ts";
import type { Store } from "../store.ts";
import type { Hit } from "../view/pick.ts";
import { type Brush, dab, touchedVertices } from "./brush-stroke.ts";
import { copyWeights } from "./row-changes.ts";

/** The weights that a stroke may change; for the file's own weights, a copy. */
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

/** Current brush settings. */
export interface StrokeKind {
  /** Pressure of the pen, 0 to 1. */
  pressure: number;
  kind: Brush;
}

/** Effect of a stroke: as chosen, except that Ctrl subtracts and Shift smooths. */
export function strokeKind(
  chosen: Brush,
  keys: Pick<PointerEvent, "ctrlKey" | "metaKey" | "shiftKey">,
): Brush {
  if (keys.shiftKey) return "smooth";
  if (keys.ctrlKey || keys.metaKey) return chosen === "subtract" ? "add" : "subtract";
  return chosen;
}

/** Sets the weight of the selected joint on all vertices that may follow it, in place; locks hold. */
export function fillAll({ state }: Store, target: KeptBind): void {
  const { weights } = target;
  const places = weights.weights.length / weights.influences;
  const touched = Array.from({ length: places }, (_, vertex) => ({ vertex, reach: 1 }));
  const { brush, joint, locked } = state;
  const settings = { kind: "replace" as const, strength: brush.strength, locked };
  dab(weights, touched, { ...settings, neighbors: NO_LISTS, joint });
}

/** Applies a dab of the brush at the pointer, on one side or both. */
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
  // Until the facts arrive, smoothing does nothing and mirroring paints only one side.
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
