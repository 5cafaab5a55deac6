import {
  addAccessor,
  addView,
  type GltfBuilder,
  INDEX_TARGET,
  VERTEX_TARGET,
} from "../../src/formats/gltf/gltf-builder.ts";
import { addChild, addEntry, entry, type GltfAnimation } from "../../src/formats/gltf/gltf-json.ts";

/** Materials, spheres on joints and animations for a generated character. */
export interface CharacterDress {
  /** V×2. */
  uvs: Float32Array;
  /** V×3, linear. */
  colors: Float32Array;
  /** A PNG that tiles. */
  image: Uint8Array;
  /** Spheres attached to joints, such as eyes. */
  beads: {
    joint: number;
    position: [number, number, number];
    radius: number;
    color: [number, number, number];
  }[];
  clips: {
    name: string;
    /** T seconds. */
    times: Float32Array;
    /** T×4 rotations of a joint, or T×3 translations. */
    channels: { joint: number; path: "rotation" | "translation"; values: Float32Array }[];
  }[];
}

/** Rings of a sphere; it has twice as many segments. */
const RINGS = 8;

/** Adds the dress to a glTF whose mesh 0 is the character's and whose first nodes are its joints. */
export function dressGltf(builder: GltfBuilder, dress: CharacterDress, joints: Float32Array): void {
  const { json } = builder;
  const target = VERTEX_TARGET;
  const [primitive] = entry(json, "meshes", 0).primitives;
  primitive.attributes.TEXCOORD_0 = addAccessor(builder, { data: dress.uvs, type: "VEC2", target });
  primitive.attributes.COLOR_0 = addAccessor(builder, { data: dress.colors, type: "VEC3", target });
  json.images = [{ bufferView: addView(builder, dress.image), mimeType: "image/png" }];
  json.samplers = [{ wrapS: 10497, wrapT: 10497 }];
  json.textures = [{ source: 0, sampler: 0 }];
  json.materials = [
    {
      name: "coat",
      pbrMetallicRoughness: {
        baseColorTexture: { index: 0 },
        metallicFactor: 0,
        roughnessFactor: 0.8,
      },
    },
  ];
  if (dress.beads.length > 0) addBeads(builder, dress.beads, joints);
  for (const clip of dress.clips) addClip(builder, clip);
}

function addBeads(builder: GltfBuilder, beads: CharacterDress["beads"], joints: Float32Array) {
  const { json } = builder;
  const { positions, triangles } = sphere();
  const vertices = { data: positions, type: "VEC3" as const, target: VERTEX_TARGET };
  // A unit sphere at the origin: its positions are its normals.
  const attributes = {
    POSITION: addAccessor(builder, { ...vertices, bounds: true }),
    NORMAL: addAccessor(builder, vertices),
  };
  const indices = addAccessor(builder, { data: triangles, type: "SCALAR", target: INDEX_TARGET });
  const meshes = new Map<string, number>();
  for (const { joint, position, radius, color } of beads) {
    const key = color.join();
    let mesh = meshes.get(key);
    if (mesh === undefined) {
      const surface = { baseColorFactor: [...color, 1], metallicFactor: 0, roughnessFactor: 0.3 };
      json.materials?.push({ name: "bead", pbrMetallicRoughness: surface });
      const material = (json.materials?.length ?? 1) - 1;
      mesh = addEntry(json, "meshes", {
        name: "bead",
        primitives: [{ attributes, indices, material }],
      });
      meshes.set(key, mesh);
    }
    const node = addEntry(json, "nodes", {
      name: "bead",
      mesh,
      translation: position.map((value, axis) => value - joints[joint * 3 + axis]),
      scale: [radius, radius, radius],
    });
    addChild(json, joint, node);
  }
}

function sphere(): { positions: Float32Array; triangles: Uint16Array } {
  const points: number[] = [];
  const corners: number[] = [];
  for (let ring = 0; ring <= RINGS; ring++) {
    const tilt = (Math.PI * ring) / RINGS;
    for (let i = 0; i <= 2 * RINGS; i++) {
      const angle = (Math.PI * i) / RINGS;
      points.push(
        Math.sin(tilt) * Math.sin(angle),
        Math.cos(tilt),
        Math.sin(tilt) * Math.cos(angle),
      );
      if (ring === RINGS || i === 2 * RINGS) continue;
      const a = ring * (2 * RINGS + 1) + i;
      const b = a + 2 * RINGS + 1;
      corners.push(a, b, a + 1, a + 1, b, b + 1);
    }
  }
  return { positions: Float32Array.from(points), triangles: Uint16Array.from(corners) };
}

function addClip(builder: GltfBuilder, { name, times, channels }: CharacterDress["clips"][number]) {
  const input = addAccessor(builder, { data: times, type: "SCALAR", bounds: true });
  const animation: GltfAnimation = { name, channels: [], samplers: [] };
  for (const { joint, path, values } of channels) {
    const type = path === "rotation" ? "VEC4" : "VEC3";
    const output = addAccessor(builder, { data: values, type });
    const sampler = animation.samplers.push({ input, output }) - 1;
    animation.channels.push({ sampler, target: { node: joint, path } });
  }
  addEntry(builder.json, "animations", animation);
}
