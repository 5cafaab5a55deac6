import { expect, test } from "vitest";
import { type GlbBuilder, tubeGlb } from "../../../test/helpers/glb-builder.ts";
import { readCharacter } from "../read-character.ts";
import { readLook } from "./read-look.ts";

/** A PNG of one white pixel. */
const PIXEL =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4//8/AAX+Av4N70a4AAAAAElFTkSuQmCC";

async function lookOf(builder: GlbBuilder) {
  return readLook(await readCharacter({ name: "tube.glb", bytes: builder.glb() }));
}

/** Attaches a triangle without weights to a node. */
function hang(builder: GlbBuilder, parent: number, translation: number[]): void {
  const corners = Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0);
  const POSITION = builder.add(corners, "VEC3", { min: [0, 0, 0], max: [1, 1, 0] });
  const mesh = builder.json.meshes.push({ primitives: [{ attributes: { POSITION } }] }) - 1;
  const node = builder.json.nodes.push({ name: "hat", mesh, translation }) - 1;
  const { children = [] } = builder.json.nodes[parent];
  builder.json.nodes[parent].children = [...children, node];
}

test("a part without weights is attached to its joint in the bind pose", async () => {
  const { builder } = tubeGlb();
  // Node 4 is joint 2, at height 1.
  hang(builder, 4, [0.5, 0.25, 0]);
  const rest = await lookOf(builder);
  expect(rest.attachments).toHaveLength(1);
  expect(rest.attachments[0].joint).toBe(2);
  expect([...rest.attachments[0].positions.slice(0, 3)]).toEqual([0.5, 1.25, 0]);
  // Rotated at rest, the part is still at its position in the bind pose, in which weights are computed.
  const half = Math.SQRT1_2;
  builder.json.nodes[4].rotation = [0, 0, half, half];
  const { attachments } = await lookOf(builder);
  expect(attachments[0].positions).toBeAllClose(rest.attachments[0].positions, 1e-5);
});

test("a part attached to no joint stays in place, and one of another scene is skipped", async () => {
  const { builder } = tubeGlb();
  hang(builder, 0, [3, 0, 0]);
  builder.json.nodes.push({ name: "elsewhere", mesh: 1 });
  const { attachments } = await lookOf(builder);
  expect(attachments.map(({ joint, positions }) => [joint, positions[0]])).toEqual([[-1, 3]]);
});

test("materials, images, coordinates and colors are read; damaged ones are skipped", async () => {
  const { builder, positions } = tubeGlb();
  const vertices = positions.length / 3;
  const [primitive] = builder.json.meshes[0].primitives;
  primitive.material = 0;
  primitive.attributes.TEXCOORD_0 = builder.add(new Float32Array(vertices * 2).fill(0.25), "VEC2");
  primitive.attributes.COLOR_0 = builder.add(new Uint8Array(vertices * 4).fill(255), "VEC4", {
    normalized: true,
  });
  builder.json.images = [{ uri: PIXEL }, { uri: "data:image/png;base64,AAAA" }];
  builder.json.textures = [{ source: 0 }, { source: 1 }];
  builder.json.materials = [
    {
      alphaMode: "MASK",
      alphaCutoff: 0.3,
      emissiveTexture: { index: 1 },
      pbrMetallicRoughness: {
        baseColorFactor: [1, 0.5, 0, 1],
        baseColorTexture: {
          index: 0,
          extensions: { KHR_texture_transform: { scale: [2, 2], offset: [0.5, 0] } },
        },
      },
    },
    "nonsense",
  ];
  const { materials, images, groups, uvs, colors, normals } = await lookOf(builder);
  expect(images).toHaveLength(1);
  expect(materials[0]).toMatchObject({
    color: [1, 0.5, 0, 1],
    opacity: "mask",
    cutoff: 0.3,
    texture: { image: 0, scale: [2, 2], offset: [0.5, 0], wrap: ["repeat", "repeat"] },
  });
  expect(materials[0].glowTexture).toBeUndefined();
  expect(groups).toEqual([{ start: 0, count: 8 * 8 * 6, material: 0 }]);
  expect(uvs?.every((value) => value === 0.25)).toBe(true);
  expect(colors?.every((value) => value === 1)).toBe(true);
  expect(normals).toBeUndefined();
});
