import type { Character } from "../../src/character/character.ts";
import { glbFromCharacter } from "../../src/formats/index.ts";
import { createRandom } from "../../src/math/random.ts";
import { skinOf, tubeGlb } from "./glb-builder.ts";

/** A character that is odd in one way, as a file. */
export interface OddCharacter {
  what: string;
  /** The bytes of a GLB. */
  make(): Uint8Array;
  /** Pattern of the refusal; absent if the character can be bound. */
  refused?: RegExp;
  /** Checks the weights beyond the general rules. */
  check?(character: Character): void;
}

/** A tube with rounded ends of `rings` rings, `corners` corners each, and a chain of joints inside. */
export function tube(rings = 12, corners = 8, joints = 4): Character {
  const positions: number[] = [];
  const triangles: number[] = [];
  for (let ring = 0; ring < rings; ring++) {
    const radius = ring === 0 || ring === rings - 1 ? 0.05 : 0.2;
    for (let corner = 0; corner < corners; corner++) {
      const angle = (corner / corners) * 2 * Math.PI;
      positions.push(radius * Math.cos(angle), (2 * ring) / (rings - 1), radius * Math.sin(angle));
      const [a, b] = [ring * corners + corner, ring * corners + ((corner + 1) % corners)];
      if (ring + 1 < rings) triangles.push(a, a + corners, b, b, a + corners, b + corners);
    }
  }
  const heights = Array.from({ length: joints }, (_, j) => (2 * j) / joints + 0.1);
  return {
    name: "tube",
    mesh: { positions: Float32Array.from(positions), triangles: Uint32Array.from(triangles) },
    skeleton: {
      names: heights.map((_, j) => `bone${j}`),
      parents: Int32Array.from(heights, (_, j) => j - 1),
      positions: Float32Array.from(heights.flatMap((y) => [0, y, 0])),
    },
  };
}

/** The file of a character, every vertex on joint 0. */
export function glbOf({ weights: _, ...character }: Character): Uint8Array {
  return glbFromCharacter(character);
}

/** A tube after a change to its mesh. */
function withMesh(change: (positions: number[], triangles: number[]) => void): Uint8Array {
  const character = tube();
  const positions = [...character.mesh.positions];
  const triangles = [...character.mesh.triangles];
  change(positions, triangles);
  const mesh = {
    positions: Float32Array.from(positions),
    triangles: Uint32Array.from(triangles),
  };
  return glbOf({ ...character, mesh });
}

/** A tube on another skeleton. */
function withJoints(parents: number[], positions: number[], names?: string[]): Uint8Array {
  const skeleton = {
    names: names ?? parents.map((_, j) => `joint ${j}`),
    parents: Int32Array.from(parents),
    positions: Float32Array.from(positions),
  };
  return glbOf({ ...tube(), skeleton });
}

/** A tube whose file is changed before it is packed. */
function withFile(
  change: (builder: ReturnType<typeof tubeGlb>["builder"], joints: Float32Array) => void,
): Uint8Array {
  const { builder, joints } = tubeGlb();
  change(builder, joints);
  return builder.glb();
}

/** Overwrites the first coordinate of a vertex. */
function withNumber(value: number): Uint8Array {
  return withFile(({ bin }) => new DataView(bin().buffer).setFloat32(12 * 5, value, true));
}

function scatter(count: number, seed: number): number[] {
  const random = createRandom(seed);
  return Array.from({ length: count * 3 }, () => random());
}

/** Every oddity that has been seen in real files. */
export const ODD_CHARACTERS: OddCharacter[] = [
  {
    what: "a position that is NaN",
    make: () => withNumber(NaN),
    refused: /is not finite/,
  },
  {
    what: "a position that is infinite",
    make: () => withNumber(Infinity),
    refused: /is not finite/,
  },
  {
    what: "a position as large as a number can be",
    make: () => withNumber(3e38),
    check: () => undefined,
  },
  {
    what: "unreferenced vertices",
    make: () => withMesh((positions) => positions.push(...scatter(20, 1))),
  },
  {
    what: "each triangle with its own vertices",
    make: () =>
      withMesh((positions, triangles) => {
        const old = [...positions];
        positions.length = 0;
        for (const [i, v] of triangles.entries()) {
          positions.push(...old.slice(v * 3, v * 3 + 3));
          triangles[i] = i;
        }
      }),
    check: ({ mesh, weights }) => {
      const rows = new Map<string, string>();
      for (let v = 0; v * 3 < mesh.positions.length; v++) {
        const place = mesh.positions.subarray(v * 3, v * 3 + 3).join();
        const { influences } = weights!;
        const row = weights!.weights.subarray(v * influences, (v + 1) * influences).join();
        if ((rows.get(place) ?? row) !== row) throw new Error(`A seam opens at ${place}.`);
        rows.set(place, row);
      }
    },
  },
  {
    what: "triangles without area",
    make: () =>
      withMesh((_, triangles) => {
        for (let v = 0; v < 30; v++) triangles.push(v, v, v, v, v + 1, v, v, v + 8, v + 16);
      }),
  },
  {
    what: "every other triangle flipped",
    make: () =>
      withMesh((_, triangles) => {
        for (let f = 0; f + 2 < triangles.length; f += 6) {
          [triangles[f], triangles[f + 1]] = [triangles[f + 1], triangles[f]];
        }
      }),
  },
  {
    what: "an open shell",
    make: () => withMesh((_, triangles) => triangles.splice(0, triangles.length / 2)),
  },
  { what: "no triangles at all", make: () => withMesh((_, triangles) => triangles.splice(0)) },
  {
    what: "thousands of islands",
    make: () =>
      withMesh((positions, triangles) => {
        const random = createRandom(2);
        for (let i = 0; i < 3000; i++) {
          const [x, y, z] = [random() - 0.5, random() * 2, random() - 0.5];
          const first = positions.length / 3;
          positions.push(x, y, z, x + 0.01, y, z, x, y + 0.01, z);
          triangles.push(first, first + 1, first + 2);
        }
      }),
  },
  {
    what: "triangles at random",
    make: () =>
      withMesh((positions, triangles) => {
        const random = createRandom(3);
        positions.push(...scatter(300, 4));
        const vertices = positions.length / 3;
        for (let i = 0; i < 3000; i++) triangles.push(Math.floor(random() * vertices));
      }),
  },
  {
    what: "one vertex",
    make: () => glbOf({ ...tube(), mesh: point() }),
  },
  {
    what: "all vertices at one position",
    make: () => withMesh((positions) => positions.fill(0.5)),
  },
  {
    what: "a mesh without thickness",
    make: () =>
      withMesh((positions) => {
        for (let i = 2; i < positions.length; i += 3) positions[i] = 0;
      }),
  },
  {
    what: "one vertex a million sizes away",
    make: () =>
      withMesh((positions) => {
        positions[0] = 2e6;
      }),
  },
  {
    what: "a character of an atom's size",
    make: () => withScale(1e-12),
  },
  {
    what: "a character of a galaxy's size",
    make: () => withScale(1e20),
  },
  {
    what: "one joint",
    make: () => withJoints([-1], [0, 1, 0]),
    check: ({ weights }) => {
      if (!weights!.weights.every((weight, i) => weight === (i % weights!.influences ? 0 : 1))) {
        throw new Error("Not every vertex follows the one joint.");
      }
    },
  },
  {
    what: "zero-length and coincident bones",
    make: () =>
      withJoints([-1, 0, 1, 1, 3, 3], [0, 0.5, 0, 0, 0.5, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0]),
  },
  {
    what: "2,000 joints",
    make: () => {
      const random = createRandom(5);
      const parents = Array.from({ length: 2000 }, (_, j) =>
        j === 0 ? -1 : Math.floor(random() * j),
      );
      const positions = scatter(2000, 6).map((x, i) => (i % 3 === 1 ? 2 * x : 0.3 * x - 0.15));
      return withJoints(parents, positions);
    },
  },
  {
    what: "joints a thousand sizes away",
    make: () => withJoints([-1, 0, 0], [0, 0.5, 0, 0, 1.5, 0, 2000, 0, 0]),
    check: ({ weights }) => {
      const far = weights!.weights.filter((w, i) => weights!.joints[i] === 2 && w > 0.5);
      if (far.length > 0) throw new Error(`${far.length} vertices follow the far joint.`);
    },
  },
  {
    what: "all joints a thousand sizes away",
    make: () => withJoints([-1, 0], [2000, 0.5, 0, 2000, 1.5, 0]),
  },
  {
    what: "joints without names, or all with the same name",
    make: () => withJoints([-1, 0, 1], [0, 0.2, 0, 0, 1, 0, 0, 1.6, 0], ["", "é\u0000🦴", ""]),
  },
  {
    what: "two skins with different bind poses",
    make: () =>
      withFile((builder, joints) => {
        builder.json.skins.push(skinOf(builder, joints, [0.5, 0, 0]));
        builder.json.nodes.push({ name: "twin", mesh: 0, skin: 1 });
        builder.json.nodes[0].children.push(builder.json.nodes.length - 1);
      }),
  },
  {
    what: "a mirrored scale",
    make: () =>
      withFile(({ json }) => {
        json.nodes[0].scale = [-1, 1, 1];
        json.nodes[3].scale = [1, -1, 1];
      }),
  },
  {
    what: "a scale of zero",
    make: () =>
      withFile(({ json }) => {
        json.nodes[3].scale = [0, 0, 0];
      }),
  },
  {
    what: "16 influences in the file",
    make: () =>
      withFile((builder) => {
        const { attributes } = builder.json.meshes[0].primitives[0];
        const vertices = builder.json.accessors[attributes.POSITION].count;
        for (let set = 0; set < 4; set++) {
          const row = Uint8Array.from({ length: vertices * 4 }, (_, i) => (i % 4) % 4);
          attributes[`JOINTS_${set}`] = builder.add(row, "VEC4");
          const shares = new Float32Array(vertices * 4).fill(1 / 16);
          attributes[`WEIGHTS_${set}`] = builder.add(shares, "VEC4");
        }
      }),
  },
];

function point() {
  return { positions: Float32Array.of(0.1, 1, 0), triangles: new Uint32Array(0) };
}

function withScale(factor: number): Uint8Array {
  const { mesh, skeleton, name } = tube();
  const scaled = (positions: Float32Array) => positions.map((x) => x * factor);
  return glbOf({
    name,
    mesh: { ...mesh, positions: scaled(mesh.positions) },
    skeleton: { ...skeleton, positions: scaled(skeleton.positions) },
  });
}
