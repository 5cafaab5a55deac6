/** A glTF under construction for tests; `json` may be changed freely before `glb()` is called. */
export interface GlbBuilder {
  // biome-ignore lint/suspicious/noExplicitAny: tests break files in every possible way
  json: any;
  /** Adds an accessor with its own data and returns its index. */
  add(data: TypedData, type: string, more?: Record<string, unknown>): number;
  /** The binary chunk so far. */
  bin(): Uint8Array;
  glb(): Uint8Array;
  /** The same as a .gltf with its buffer as a data URI. */
  gltf(): Uint8Array;
}

type TypedData = Int8Array | Uint8Array | Int16Array | Uint16Array | Uint32Array | Float32Array;

const SIZES: Record<string, number> = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 };

/** Starts an empty glTF. Independent of the library's own writer, so that each reveals the other's mistakes. */
export function glbBuilder(): GlbBuilder {
  const json = {
    asset: { version: "2.0" },
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [] as unknown[],
    meshes: [] as unknown[],
    accessors: [] as unknown[],
    bufferViews: [] as unknown[],
    buffers: [{ byteLength: 0 }],
  };
  let bytes = new Uint8Array(0);
  const bin = () => bytes;
  const finish = () => {
    json.buffers[0].byteLength = bytes.length;
    return JSON.stringify(json);
  };
  return {
    json,
    bin,
    add(data, type, more = {}) {
      const start = bytes.length;
      const padded = new Uint8Array(start + Math.ceil(data.byteLength / 4) * 4);
      padded.set(bytes);
      padded.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), start);
      bytes = padded;
      json.bufferViews.push({ buffer: 0, byteOffset: start, byteLength: data.byteLength });
      json.accessors.push({
        bufferView: json.bufferViews.length - 1,
        componentType: componentType(data),
        count: data.length / SIZES[type],
        type,
        ...more,
      });
      return json.accessors.length - 1;
    },
    glb: () => packGlb(finish(), bytes),
    gltf() {
      const text = finish();
      const copy = JSON.parse(text);
      copy.buffers[0].uri = `data:application/octet-stream;base64,${Buffer.from(bytes).toString("base64")}`;
      return new TextEncoder().encode(JSON.stringify(copy));
    },
  };
}

/** Joins a JSON text and a binary chunk to a GLB. */
export function packGlb(text: string, bin: Uint8Array): Uint8Array {
  const chunk = Buffer.from(text.padEnd(Math.ceil(Buffer.byteLength(text) / 4) * 4));
  const header = Buffer.alloc(20);
  header.write("glTF");
  header.writeUInt32LE(2, 4);
  header.writeUInt32LE(28 + chunk.length + bin.length, 8);
  header.writeUInt32LE(chunk.length, 12);
  header.write("JSON", 16);
  const binHeader = Buffer.alloc(8);
  binHeader.writeUInt32LE(bin.length, 0);
  binHeader.write("BIN\0", 4);
  return new Uint8Array(Buffer.concat([header, chunk, binHeader, bin]));
}

/** Parts of the tube that {@link tubeGlb} makes. */
export interface Tube {
  builder: GlbBuilder;
  /** V×3, as a viewer shows the rest pose. */
  positions: Float32Array;
  /** J×3, likewise. */
  joints: Float32Array;
}

/** Variants of the tube. */
export interface TubeOptions {
  /** Rings of vertices; default 9. */
  rings?: number;
  /** Joints up the middle; default 4. */
  joints?: number;
  /** The armature is rotated to z up and scaled by 100; vertices and joints are stored in its space. */
  isScaled?: boolean;
  /** Omits JOINTS_0, WEIGHTS_0 and the skin. */
  isBare?: boolean;
}

/** A tube of height 2 that stands on the floor, eight corners per ring, with a chain of joints inside. */
export function tubeGlb(options: TubeOptions = {}): Tube {
  const { rings = 9, joints: jointCount = 4, isScaled = false, isBare = false } = options;
  const builder = glbBuilder();
  const positions: number[] = [];
  const triangles: number[] = [];
  for (let ring = 0; ring < rings; ring++) {
    for (let corner = 0; corner < 8; corner++) {
      const angle = (corner / 8) * 2 * Math.PI;
      positions.push(0.2 * Math.cos(angle), (2 * ring) / (rings - 1), 0.2 * Math.sin(angle));
      const [a, b] = [ring * 8 + corner, ring * 8 + ((corner + 1) % 8)];
      if (ring + 1 < rings) triangles.push(a, a + 8, b, b, a + 8, b + 8);
    }
  }
  const joints = Array.from({ length: jointCount }, (_, j) => [0, (2 * j) / jointCount, 0]).flat();
  // y up to z up and meters to centimeters; the armature node reverts it.
  const store = (p: number[]) => (isScaled ? [p[0] * 100, -p[2] * 100, p[1] * 100] : p);
  const stored = (list: number[]) =>
    Float32Array.from(
      Array.from({ length: list.length / 3 }, (_, i) => store(list.slice(i * 3, i * 3 + 3))).flat(),
    );
  const local = stored(positions);
  const attributes: Record<string, number> = {
    POSITION: builder.add(local, "VEC3", bounds(local)),
  };
  if (!isBare) {
    attributes.JOINTS_0 = builder.add(rowsOf(positions, jointCount, 0) as Uint8Array, "VEC4");
    attributes.WEIGHTS_0 = builder.add(rowsOf(positions, jointCount, 1) as Float32Array, "VEC4");
  }
  const indices = builder.add(Uint16Array.from(triangles), "SCALAR");
  builder.json.meshes.push({ name: "tube", primitives: [{ attributes, indices }] });
  const half = Math.SQRT1_2;
  const armature = isScaled ? { rotation: [-half, 0, 0, half], scale: [0.01, 0.01, 0.01] } : {};
  builder.json.nodes.push({ name: "Armature", children: [1, 2], ...armature });
  builder.json.nodes.push({ name: "tube", mesh: 0, ...(isBare ? {} : { skin: 0 }) });
  const bones = stored(joints);
  for (let j = 0; j < jointCount; j++) {
    const translation = [0, 1, 2].map(
      (axis) => bones[j * 3 + axis] - (j > 0 ? bones[j * 3 - 3 + axis] : 0),
    );
    const children = j + 1 < jointCount ? { children: [j + 3] } : {};
    builder.json.nodes.push({ name: `bone${j}`, translation, ...children });
  }
  if (!isBare) builder.json.skins = [skinOf(builder, bones)];
  return { builder, positions: Float32Array.from(positions), joints: Float32Array.from(joints) };
}

/** A skin over the joints of nodes 2, 3, ... with only translations. */
export function skinOf(
  builder: GlbBuilder,
  bones: Float32Array,
  move: number[] = [0, 0, 0],
): { joints: number[]; inverseBindMatrices: number } {
  const count = bones.length / 3;
  const inverses = Array.from({ length: count }, (_, j) => [
    1,
    0,
    0,
    0,
    0,
    1,
    0,
    0,
    0,
    0,
    1,
    0,
    ...[0, 1, 2].map((axis) => move[axis] - bones[j * 3 + axis]),
    1,
  ]).flat();
  return {
    joints: Array.from({ length: count }, (_, j) => j + 2),
    inverseBindMatrices: builder.add(Float32Array.from(inverses), "MAT4"),
  };
}

/** Minimum and maximum values, which glTF requires for positions. */
export function bounds(positions: Float32Array): { min: number[]; max: number[] } {
  const column = (axis: number) => positions.filter((_, i) => i % 3 === axis);
  return {
    min: [0, 1, 2].map((axis) => Math.min(...column(axis))),
    max: [0, 1, 2].map((axis) => Math.max(...column(axis))),
  };
}

/** Each vertex follows the two joints it is between. */
function rowsOf(positions: number[], joints: number, what: 0 | 1): Uint8Array | Float32Array {
  const rows = Array.from({ length: positions.length / 3 }, (_, v) => {
    const at = (positions[v * 3 + 1] / 2) * joints;
    const low = Math.min(Math.floor(at), joints - 1);
    const share = low === joints - 1 ? 0 : at - low;
    if (what === 1) return [1 - share, share, 0, 0];
    return [share < 1 ? low : 0, share > 0 ? low + 1 : 0, 0, 0];
  }).flat();
  return what === 1 ? Float32Array.from(rows) : Uint8Array.from(rows);
}

function componentType(data: TypedData): number {
  if (data instanceof Int8Array) return 5120;
  if (data instanceof Uint8Array) return 5121;
  if (data instanceof Int16Array) return 5122;
  if (data instanceof Uint16Array) return 5123;
  return data instanceof Uint32Array ? 5125 : 5126;
}
