import type { Character } from "../../src/character/character.ts";
import type { GltfBuilder } from "../../src/formats/gltf/gltf-builder.ts";
import { power } from "../../src/math/power.ts";
import { multiplyQuaternions, quaternionFromAxisAngle } from "../../src/math/quaternion.ts";
import { vertexCount } from "../../src/mesh/mesh.ts";
import { encodePng } from "../../src/picture/png.ts";
import type { Skeleton } from "../../src/skeleton/skeleton.ts";
import { COATS } from "./coats.ts";
import { type CharacterDress, dressGltf } from "./dress-gltf.ts";
import { MOTIONS, type Swing } from "./motions.ts";
import { patternTile } from "./pattern.ts";

/** Keys of a motion; the last equals the first. */
const KEYS = 17;

/** Returns a function that adds the coat and the motion of a sample to its glTF. */
export function dressSample(character: Character): (builder: GltfBuilder) => void {
  const coat = COATS[character.name];
  const { mesh, skeleton, weights } = character;
  const count = vertexCount(mesh);
  const uvs = new Float32Array(count * 2);
  const colors = new Float32Array(count * 3);
  for (let v = 0; v < count; v++) {
    const [x, y, z] = mesh.positions.subarray(v * 3, v * 3 + 3);
    const joint = weights ? weights.joints[v * weights.influences] : 0;
    // Triplanar mapping at an angle, so that no side of the body is stretched into lines.
    uvs.set([coat.tiles * (x + 0.62 * z), coat.tiles * (y + 0.31 * (z - x))], v * 2);
    colors.set(linear(coat.color(skeleton.names[joint], x, y, z)), v * 3);
  }
  const dress: CharacterDress = {
    uvs,
    colors,
    image: encodePng(patternTile(coat.material)),
    beads: coat.beads.map(({ joint, color, ...bead }) => ({
      ...bead,
      joint: skeleton.names.indexOf(joint),
      color: linear(color),
    })),
    clips: [motionOf(character)],
  };
  return (builder) => dressGltf(builder, dress, skeleton.positions);
}

function motionOf({ name, skeleton }: Character): CharacterDress["clips"][number] {
  const { name: title, seconds, bob, swings } = MOTIONS[name];
  const times = Float32Array.from({ length: KEYS }, (_, key) => (key * seconds) / (KEYS - 1));
  const channels: CharacterDress["clips"][number]["channels"] = [];
  skeleton.names.forEach((joint, index) => {
    const own = swings.filter(({ joints }) => joints.test(joint));
    if (own.length === 0) return;
    const shares = Array.from({ length: KEYS }, (_, key) => key / (KEYS - 1));
    const values = shares.flatMap((share) => turnAt(joint, own, share));
    channels.push({ joint: index, path: "rotation", values: Float32Array.from(values) });
  });
  channels.push({ joint: rootOf(skeleton), path: "translation", values: bobbing(skeleton, bob) });
  return { name: title, times, channels };
}

/** Rotation of a joint at a fraction of the cycle. */
function turnAt(joint: string, swings: Swing[], share: number): number[] {
  return swings.reduce<[number, number, number, number]>(
    (turn, { axis, degrees, phase = 0, around = 0, wave = 0, isAlternate, times = 1 }) => {
      const isRight = joint.endsWith(".R");
      const later = isRight && isAlternate ? 0.5 : 0;
      const along = wave * Number(/\d+/.exec(joint)?.[0] ?? 0);
      const angle =
        degrees * Math.sin(2 * Math.PI * (times * share + phase + later - along)) + around;
      // The mirror image of a rotation about y or z has the opposite sign.
      const sign = isRight && axis !== "x" ? -1 : 1;
      const way = { x: [1, 0, 0], y: [0, 1, 0], z: [0, 0, 1] }[axis];
      return multiplyQuaternions(
        turn,
        quaternionFromAxisAngle(way, (sign * angle * Math.PI) / 180),
      );
    },
    [0, 0, 0, 1],
  );
}

/** T×3, the root rises and sinks twice per cycle. */
function bobbing({ parents, positions }: Skeleton, bob: number): Float32Array {
  const root = parents.indexOf(-1) * 3;
  return Float32Array.from({ length: KEYS * 3 }, (_, i) => {
    const rise = i % 3 === 1 ? bob * Math.sin((4 * Math.PI * Math.floor(i / 3)) / (KEYS - 1)) : 0;
    return positions[root + (i % 3)] + rise;
  });
}

function rootOf({ parents }: Skeleton): number {
  return parents.indexOf(-1);
}

/** A color as #rrggbb in linear light. */
function linear(color: string): [number, number, number] {
  const channel = (at: number) => {
    const value = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : power((value + 0.055) / 1.055, 2.4);
  };
  return [channel(1), channel(3), channel(5)];
}
