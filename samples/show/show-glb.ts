import {
  addAccessor,
  type GltfBuilder,
  INDEX_TARGET,
  VERTEX_TARGET,
} from "../../src/formats/gltf/gltf-builder.ts";
import { entry } from "../../src/formats/gltf/gltf-json.ts";
import { fileFromCharacter, writeCharacter } from "../../src/formats/index.ts";
import type { MotionClip } from "../../src/motion/motions.ts";
import type { Figure, Finish } from "./figure.ts";
import { ambientShade } from "./shade.ts";

const MATERIALS: Record<Finish, { roughness: number; glow?: number }> = {
  matte: { roughness: 0.78 },
  satin: { roughness: 0.42 },
  gloss: { roughness: 0.12 },
  glow: { roughness: 0.3, glow: 0.25 },
};

/** Writes a figure as a GLB with shaded vertex colors, a material per finish, and motions. */
export function figureGlb(
  { character, colors, finishes }: Figure,
  motions: MotionClip[],
): Uint8Array {
  const shade = ambientShade(character.mesh);
  const shaded = Uint16Array.from({ length: shade.length * 4 }, (_, i) => {
    const [v, channel] = [Math.floor(i / 4), i % 4];
    // Shadows are slightly warm.
    const dark = channel === 0 ? shade[v] ** 0.9 : channel === 2 ? shade[v] ** 1.06 : shade[v];
    return channel === 3 ? 65535 : Math.round(65535 * Math.min(1, colors[v * 3 + channel] * dark));
  });
  const decorate = (builder: GltfBuilder) => {
    const { json } = builder;
    const mesh = entry(json, "meshes", 0);
    const { attributes } = mesh.primitives[0];
    attributes.COLOR_0 = addAccessor(builder, {
      data: shaded,
      type: "VEC4",
      normalized: true,
      target: VERTEX_TARGET,
    });
    const used = (Object.keys(MATERIALS) as Finish[]).filter((finish) => finishes.includes(finish));
    json.materials = used.map((name) => {
      const { roughness, glow } = MATERIALS[name];
      return {
        name,
        pbrMetallicRoughness: { metallicFactor: 0, roughnessFactor: roughness },
        ...(glow && { emissiveFactor: [glow, glow, glow] }),
      };
    });
    mesh.primitives = used.map((finish, material) => {
      const own = finishes.flatMap((given, f) =>
        given === finish ? [...character.mesh.triangles.subarray(f * 3, f * 3 + 3)] : [],
      );
      const data = Uint16Array.from(own);
      const indices = addAccessor(builder, { data, type: "SCALAR", target: INDEX_TARGET });
      return { attributes: { ...attributes }, indices, material };
    });
  };
  const file = fileFromCharacter(character, decorate);
  return writeCharacter({ ...file, character }, character.weights!, {
    motions,
    weightType: "uint8",
  }).bytes;
}
