import type { SceneShape } from "../scene.ts";
import { childOf } from "../tree.ts";
import { type DaeDocument, inputsOf, readNames, readSource, refer } from "./dae-document.ts";
import { readDaePoints } from "./dae-mesh.ts";
import type { XmlElement } from "./parse-xml.ts";

/** The shapes of a morph controller over a mesh of `points`, C×3. */
export function readDaeMorph(
  document: DaeDocument,
  morph: XmlElement,
  points: Float32Array,
): SceneShape[] {
  const inputs = inputsOf(childOf(morph, "targets"));
  const { names } = readNames(document, inputs.get("MORPH_TARGET")?.source);
  const { values: weights } = readSource(document, inputs.get("MORPH_WEIGHT")?.source);
  const isRelative = morph.attributes.method === "RELATIVE";
  return names.map((id, index) => {
    const geometry = refer(document, id);
    const name = geometry?.attributes.name ?? id;
    const deltas = new Float32Array(points.length);
    const target = readDaePoints(document, childOf(geometry, "mesh"));
    for (let i = 0; i < deltas.length && i < target.length; i++) {
      deltas[i] = isRelative ? target[i] : target[i] - points[i];
    }
    return { name, deltas, weight: weights[index] ?? 0 };
  });
}

/** Id of the source that holds the weights, which animations drive. */
export function morphWeightsId(morph: XmlElement): string {
  const source = inputsOf(childOf(morph, "targets")).get("MORPH_WEIGHT")?.source ?? "";
  return source.replace(/^#/, "");
}
