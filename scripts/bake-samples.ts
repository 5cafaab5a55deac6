// Bakes the show characters of the page's gallery into app/public/samples.
//
//   node --import tsx scripts/bake-samples.ts [name ...]    all, or only those with these names
//
// Their posters are screenshots of the page: npm run page:pictures -- posters

import { writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { Logger, NodeIO } from "@gltf-transform/core";
import { EXTMeshoptCompression, KHRMeshQuantization } from "@gltf-transform/extensions";
import { dedup, meshopt, prune, resample, weld } from "@gltf-transform/functions";
import { MeshoptDecoder, MeshoptEncoder } from "meshoptimizer";
import { makeFigure } from "../samples/show/index.ts";
import { SHOW, showFile } from "../samples/show/names.ts";
import { figureGlb } from "../samples/show/show-glb.ts";
import { type MotionName, makeMotion } from "../src/parts.ts";

/** The motion of an animal; people walk. The page generates more motions. */
const MOVES: Record<string, MotionName> = { vixen: "trot" };

/** Generates the file of a show character: the same bytes each time. */
export async function bakeShow(name: string): Promise<Uint8Array> {
  const figure = makeFigure(name);
  const { skeleton } = figure.character;
  const clip = makeMotion(skeleton, MOVES[name] ?? "walk");
  if (!clip) throw new Error(`bakeShow: ${name} has no legs to walk on.`);
  const plain = figureGlb(figure, [clip]);
  await Promise.all([MeshoptEncoder.ready, MeshoptDecoder.ready]);
  const io = new NodeIO()
    .setLogger(new Logger(Logger.Verbosity.ERROR))
    .registerExtensions([EXTMeshoptCompression, KHRMeshQuantization])
    .registerDependencies({ "meshopt.encoder": MeshoptEncoder, "meshopt.decoder": MeshoptDecoder });
  const document = await io.readBinary(plain);
  document.setLogger(new Logger(Logger.Verbosity.ERROR));
  document.getRoot().getAsset().generator = "heterskin";
  await document.transform(
    dedup(),
    weld(),
    prune(),
    resample({ tolerance: 5e-4 }),
    meshopt({
      encoder: MeshoptEncoder,
      level: "medium",
      quantizePosition: 13,
      quantizeNormal: 8,
      quantizeWeight: 8,
      quantizeColor: 8,
    }),
  );
  return io.writeBinary(document);
}

async function main(names: string[]): Promise<void> {
  for (const { name } of SHOW) {
    if (names.length > 0 && !names.includes(name)) continue;
    const bytes = await bakeShow(name);
    writeFileSync(`app/public/${showFile(name)}`, bytes);
    console.log(`app/public/${showFile(name)}: ${bytes.length} bytes`);
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href)
  await main(process.argv.slice(2));
