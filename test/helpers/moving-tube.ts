import { encodePng } from "../../src/picture/png.ts";
import { tubeGlb } from "./glb-builder.ts";

/**
 * A tube with features that are hard to convert to FBX: a second skinned mesh, a mesh carried by a joint, two blend
 * shapes, a textured material, and an animation with large rotations, steps, splines and shape weights.
 */
export function movingTubeGlb(isScaled = false): Uint8Array {
  const { builder, positions } = tubeGlb({ isScaled });
  const { json } = builder;
  const [tube] = json.meshes;
  const vertices = positions.length / 3;
  // Shapes are stored in the space of the vertices.
  const stored = (deltas: Float32Array) =>
    isScaled
      ? deltas.map((_, i) => 100 * [deltas[i], -deltas[i + 1], deltas[i - 1]][i % 3])
      : deltas;
  const bulge = positions.map((value, i) => (i % 3 === 1 ? 0 : value * 0.5));
  const lift = positions.map((value, i) => (i % 3 === 1 && value > 1 ? 0.25 : 0));
  const uvs = Float32Array.from({ length: vertices * 2 }, (_, i) =>
    i % 2 === 0 ? ((i / 2) % 8) / 8 : Math.floor(i / 16) / 9,
  );
  tube.primitives[0].attributes.TEXCOORD_0 = builder.add(uvs, "VEC2");
  tube.primitives[0].material = 0;
  // The second mesh shares the vertices, not the shapes.
  json.meshes.push({ name: "coat", primitives: [structuredClone(tube.primitives[0])] });
  json.meshes.push({ name: "hat", primitives: [structuredClone(tube.primitives[0])] });
  for (const name of ["JOINTS_0", "WEIGHTS_0"])
    delete json.meshes[2].primitives[0].attributes[name];
  tube.primitives[0].targets = [bulge, lift].map((deltas) => ({
    POSITION: builder.add(stored(deltas), "VEC3"),
  }));
  tube.extras = { targetNames: ["bulge", "lift"] };
  tube.weights = [0, 0.25];
  json.nodes[0].children.push(json.nodes.length);
  json.nodes.push({ name: "coat", mesh: 1, skin: 0 });
  json.nodes[5].children = [json.nodes.length];
  json.nodes.push({ name: "hat", mesh: 2, translation: [0, 0.5, 0], rotation: [0, 0, 0.6, 0.8] });
  const pixels = Uint8ClampedArray.from({ length: 4 * 4 * 4 }, (_, i) => (i * 37) % 256);
  const png = encodePng({ width: 4, height: 4, pixels });
  const uri = `data:image/png;base64,${Buffer.from(png).toString("base64")}`;
  json.images = [{ name: "skin", uri }];
  json.textures = [{ source: 0 }];
  const surface = { baseColorTexture: { index: 0 }, metallicFactor: 0, roughnessFactor: 0.5 };
  json.materials = [{ name: "paint", doubleSided: true, pbrMetallicRoughness: surface }];
  const turn = (degrees: number) => [
    Math.sin((degrees * Math.PI) / 360),
    0,
    0,
    Math.cos((degrees * Math.PI) / 360),
  ];
  const times = builder.add(Float32Array.of(0, 0.5, 1), "SCALAR", { min: [0], max: [1] });
  const samplers: unknown[] = [];
  const add = (
    node: number,
    path: string,
    type: string,
    values: number[],
    interpolation: string,
  ) => {
    const output = builder.add(Float32Array.from(values), type);
    samplers.push({ input: times, output, interpolation });
    return { sampler: samplers.length - 1, target: { node, path } };
  };
  const spline = [
    0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0, 1.5, 1.5, 1.5, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0, 0, 0,
  ];
  const size = isScaled ? 100 : 1;
  const root = [0, 0, 0, 0.5, 0, 0, 0, 0, 0.25].map((value) => value * size);
  const skewed = [0.5, 0.5, 0.5, 0.5];
  json.animations = [
    {
      name: "wild",
      samplers,
      channels: [
        add(3, "rotation", "VEC4", [...turn(0), ...turn(170), ...skewed], "LINEAR"),
        add(
          4,
          "rotation",
          "VEC4",
          [0, 0, 0, 1, 0, Math.SQRT1_2, 0, Math.SQRT1_2, ...turn(90)],
          "LINEAR",
        ),
        add(2, "translation", "VEC3", root, "STEP"),
        add(5, "scale", "VEC3", spline, "CUBICSPLINE"),
        add(1, "weights", "SCALAR", [0, 0, 1, 0.5, 0, 1], "LINEAR"),
      ],
    },
    {
      name: "nod",
      samplers: [{ input: times, output: samplers.length, interpolation: "LINEAR" }],
      channels: [{ sampler: 0, target: { node: 4, path: "rotation" } }],
    },
  ];
  const nods = [...turn(0), ...turn(30), ...turn(0)];
  json.animations[1].samplers[0].output = builder.add(Float32Array.from(nods), "VEC4");
  return builder.glb();
}
