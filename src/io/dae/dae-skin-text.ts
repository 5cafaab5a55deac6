import type { SkinWeights } from "../../weights/skin-weights.ts";
import { readRow } from "../../weights/weight-row.ts";
import { floatText } from "../float-text.ts";
import { fromRows } from "./dae-transform.ts";
import { escapeXml } from "./edit-xml.ts";

/** What a skin is to hold. */
export interface DaeSkinContent {
  /** Ids of its sources. */
  ids: { joints: string; inverseBinds: string; weights: string };
  /** Names of the joints, and whether they are ids rather than sids. */
  names: string[];
  areIds: boolean;
  /** One per joint, column by column. */
  inverseBinds: number[][];
  /** Points of the mesh, and the vertex behind each that has one. */
  pointCount: number;
  vertexOf: Map<number, number>;
  /** Of the character, and the place in `names` of each of its joints. */
  weights: SkinWeights;
  placeOf: number[];
}

/** The sources, joints and weights of a skin, as XML; `prefix` is that of the file's elements. */
export function daeSkinText(content: DaeSkinContent, prefix: string): string {
  const { ids, names, areIds, inverseBinds } = content;
  const { values, counts, pairs } = listWeights(content);
  const tag = (name: string, attributes: string, inner: string) =>
    `<${prefix}${name}${attributes}>${inner}</${prefix}${name}>\n`;
  const source = (id: string, array: string, type: string, words: string[], stride: number) =>
    tag(
      "source",
      ` id="${escapeXml(id)}"`,
      tag(array, ` id="${escapeXml(id)}-array" count="${words.length}"`, words.join(" ")) +
        tag(
          "technique_common",
          "",
          `<${prefix}accessor source="#${escapeXml(id)}-array" count="${words.length / stride}" stride="${stride}">` +
            `<${prefix}param name="${type.split(" ")[0]}" type="${type.split(" ")[1]}"/></${prefix}accessor>`,
        ),
    );
  const input = (semantic: string, id: string, offset = "") =>
    `<${prefix}input semantic="${semantic}" source="#${escapeXml(id)}"${offset}/>`;
  const [array, type] = areIds ? ["IDREF_array", "JOINT IDREF"] : ["Name_array", "JOINT name"];
  return (
    source(ids.joints, array, type, names.map(escapeXml), 1) +
    source(
      ...([ids.inverseBinds, "float_array", "TRANSFORM float4x4"] as const),
      ...([inverseBinds.flatMap((m) => fromRows(m).map(floatText)), 16] as const),
    ) +
    source(ids.weights, "float_array", "WEIGHT float", values, 1) +
    tag("joints", "", input("JOINT", ids.joints) + input("INV_BIND_MATRIX", ids.inverseBinds)) +
    tag(
      "vertex_weights",
      ` count="${content.pointCount}"`,
      input("JOINT", ids.joints, ' offset="0"') +
        input("WEIGHT", ids.weights, ' offset="1"') +
        tag("vcount", "", counts.join(" ")) +
        tag("v", "", pairs.join(" ")),
    )
  );
}

/** Different weights once, and for each point how many it has and which; 1 comes first, as all exporters have it. */
function listWeights({ weights, vertexOf, pointCount, placeOf }: DaeSkinContent) {
  const places = new Map<string, number>([["1", 0]]);
  const pairs: number[] = [];
  const counts = Array.from({ length: pointCount }, (_, point) => {
    const vertex = vertexOf.get(point);
    if (vertex === undefined) return 0;
    const { joints, values } = readRow(weights, vertex);
    joints.forEach((joint, i) => {
      const word = String(Number(values[i].toPrecision(7)));
      const place = places.get(word) ?? places.size;
      places.set(word, place);
      pairs.push(placeOf[joint], place);
    });
    return joints.length;
  });
  return { values: [...places.keys()], counts, pairs };
}
