import { writeFileSync } from "node:fs";
import path from "node:path";
import { readCharacterFile } from "../../src/disk/character-files.ts";
import type { CharacterFile } from "../../src/formats/character-file.ts";
import { fileLosses } from "../../src/formats/describe-file.ts";
import type { Loss } from "../../src/formats/losses.ts";
import { vertexOfPoints } from "../../src/formats/rows.ts";
import { writeCharacter } from "../../src/formats/write-character.ts";
import { skin } from "../../src/skin.ts";
import type { SkinWeights } from "../../src/weights/skin-weights.ts";
import type { Input } from "./corpus.ts";

/** A file and our output for it. */
export interface Outputs {
  input: string;
  /** In its own format, and as GLB; absent if refused. */
  own?: string;
  glb?: string;
  /** Path of the weights in `own`, point by point. */
  weights?: string;
  lost: Loss[];
  refused?: string;
}

/** Binds a file by the fastest method and writes it in its own format and as GLB. */
export async function writeOutputs(
  { file: input, skeleton }: Input,
  folder: string,
): Promise<Outputs> {
  const base = path.join(folder, `ours-${path.basename(input)}`);
  const ending = path.extname(input).toLowerCase();
  try {
    const file = await readCharacterFile(input, { skeleton });
    const lost = fileLosses(file, "glb");
    if (file.character.mesh.positions.length === 0) return { input, lost, refused: "no mesh" };
    const { weights } = await skin(file.character, { method: "inverse-distance" });
    const glb = `${base}.glb`;
    writeFileSync(glb, writeCharacter(file, weights, { format: "glb" }).bytes);
    const own = base;
    try {
      const format = ending === ".fbx" ? "fbx" : "dae";
      writeFileSync(own, writeCharacter(file, weights, { format }).bytes);
    } catch (error) {
      return { input, glb, lost, refused: (error as Error).message };
    }
    writeFileSync(`${base}.weights.json`, JSON.stringify(weightFacts(file, weights)));
    return { input, own, glb, weights: `${base}.weights.json`, lost };
  } catch (error) {
    return { input, lost: [], refused: (error as Error).message };
  }
}

/** By mesh: its name in the file, and each point's weights by bone. */
function weightFacts(file: CharacterFile, weights: SkinWeights) {
  const { source, character, parts } = file;
  return [...new Set(parts.map(({ mesh }) => mesh))].map((mesh) => {
    const vertexOf = vertexOfPoints(file, mesh);
    const points = source.points?.get(mesh)?.count ?? 0;
    const rows = Array.from({ length: points }, (_, point) => {
      const vertex = vertexOf.get(point);
      const row: Record<string, number> = {};
      for (let i = 0; vertex !== undefined && i < weights.influences; i++) {
        const slot = vertex * weights.influences + i;
        const name = character.skeleton.names[weights.joints[slot]];
        if (weights.weights[slot] > 0) row[name] = (row[name] ?? 0) + weights.weights[slot];
      }
      return row;
    });
    return { name: source.json.meshes?.[mesh].name ?? "", points, rows };
  });
}
