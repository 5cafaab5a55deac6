import { align4 } from "./glb.ts";
import { type GltfSource, viewBytes } from "./gltf-source.ts";

/**
 * Packs the views that something refers to into one buffer, in order, and drops the others, so that
 * unpacked files do not carry their packed bytes along.
 */
export function compactViews(source: GltfSource): void {
  const { json } = source;
  const views = json.bufferViews ?? [];
  const used = new Set<number>();
  eachViewReference(json, (holder) => used.add(holder.bufferView));
  const kept = views.map((_, index) => index).filter((index) => used.has(index));
  const renumbered = new Map(kept.map((old, index) => [old, index]));
  const total = kept.reduce((sum, index) => sum + align4(views[index].byteLength), 0);
  const bytes = new Uint8Array(total);
  let end = 0;
  for (const index of kept) {
    const view = views[index];
    bytes.set(viewBytes(source, view), end);
    view.buffer = 0;
    view.byteOffset = end;
    end += align4(view.byteLength);
  }
  eachViewReference(json, (holder) => {
    holder.bufferView = renumbered.get(holder.bufferView)!;
  });
  json.bufferViews = kept.map((index) => views[index]);
  json.buffers = [{ byteLength: total }];
  source.buffers = [bytes];
}

/** Calls `visit` for each object anywhere in a JSON that names a buffer view (by the key glTF uses). */
export function eachViewReference(
  value: unknown,
  visit: (holder: { bufferView: number }) => void,
): void {
  if (typeof value !== "object" || value === null) return;
  const holder = value as { bufferView?: unknown };
  if (typeof holder.bufferView === "number") visit(holder as { bufferView: number });
  for (const child of Array.isArray(value) ? value : Object.values(value)) {
    eachViewReference(child, visit);
  }
}
