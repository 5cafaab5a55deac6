import {
  addAccessor,
  addView,
  type GltfDraft,
  INDEX_TARGET,
  VERTEX_TARGET,
} from "./gltf-builder.ts";
import { addChild, addEntry, entry, type GltfAnimation } from "./gltf-json.ts";

/** Colors, a picture, balls on joints and motions for a character made by code. */
export interface CharacterDress {
  /** V×2. */
  uvs: Float32Array;
  /** V×3, linear. */
  colors: Float32Array;
  /** A PNG that repeats. */
  picture: Uint8Array;
  beads: {
    joint: number;
    place: [number, number, number];
    radius: number;
    color: [number, number, number];
  }[];
  clips: {
    name: string;
    times: Float32Array;
    channels: { joint: number; path: "rotation" | "translation"; values: Float32Array }[];
  }[];
}

/** Rings and segments of a ball. */
const RINGS = 8;

/** Dresses a draft whose mesh 0 is the character's and whose first nodes are its joints. */
export function dressGltf(draft: GltfDraft, dress: CharacterDress, joints: Float32Array): void {
  const { json } = draft;
  const target = VERTEX_TARGET;
  const [primitive] = entry(json, "meshes", 0).primitives;
  primitive.attributes.TEXCOORD_0 = addAccessor(draft, { data: dress.uvs, type: "VEC2", target });
  primitive.attributes.COLOR_0 = addAccessor(draft, { data: dress.colors, type: "VEC3", target });
  json.images = [{ bufferView: addView(draft, dress.picture), mimeType: "image/png" }];
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
  if (dress.beads.length > 0) addBeads(draft, dress.beads, joints);
  for (const clip of dress.clips) addClip(draft, clip);
}

function addBeads(draft: GltfDraft, beads: CharacterDress["beads"], joints: Float32Array): void {
  const { json } = draft;
  const { positions, triangles } = ball();
  const vertices = { data: positions, type: "VEC3" as const, target: VERTEX_TARGET };
  // A ball around the origin: its points are its normals.
  const attributes = {
    POSITION: addAccessor(draft, { ...vertices, bounds: true }),
    NORMAL: addAccessor(draft, vertices),
  };
  const indices = addAccessor(draft, { data: triangles, type: "SCALAR", target: INDEX_TARGET });
  const meshes = new Map<string, number>();
  for (const { joint, place, radius, color } of beads) {
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
      translation: place.map((value, axis) => value - joints[joint * 3 + axis]),
      scale: [radius, radius, radius],
    });
    addChild(json, joint, node);
  }
}

/** A ball of radius 1. */
function ball(): { positions: Float32Array; triangles: Uint16Array } {
  const points: number[] = [];
  const corners: number[] = [];
  for (let ring = 0; ring <= RINGS; ring++) {
    const tilt = (Math.PI * ring) / RINGS;
    for (let i = 0; i <= 2 * RINGS; i++) {
      const turn = (Math.PI * i) / RINGS;
      points.push(Math.sin(tilt) * Math.sin(turn), Math.cos(tilt), Math.sin(tilt) * Math.cos(turn));
      if (ring === RINGS || i === 2 * RINGS) continue;
      const a = ring * (2 * RINGS + 1) + i;
      const b = a + 2 * RINGS + 1;
      corners.push(a, b, a + 1, a + 1, b, b + 1);
    }
  }
  return { positions: Float32Array.from(points), triangles: Uint16Array.from(corners) };
}

function addClip(
  draft: GltfDraft,
  { name, times, channels }: CharacterDress["clips"][number],
): void {
  const input = addAccessor(draft, { data: times, type: "SCALAR", bounds: true });
  const animation: GltfAnimation = { name, channels: [], samplers: [] };
  for (const { joint, path, values } of channels) {
    const type = path === "rotation" ? "VEC4" : "VEC3";
    const output = addAccessor(draft, { data: values, type });
    const sampler = animation.samplers.push({ input, output }) - 1;
    animation.channels.push({ sampler, target: { node: joint, path } });
  }
  addEntry(draft.json, "animations", animation);
}
