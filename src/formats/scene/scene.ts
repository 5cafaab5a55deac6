import type { Losses } from "../losses.ts";

/** The common form of FBX, DAE and OBJ files before conversion to glTF: polygons, materials, nodes, skins. */
export interface Scene {
  nodes: SceneNode[];
  meshes: SceneMesh[];
  materials: SceneMaterial[];
  animations: SceneAnimation[];
  /** Nodes of a skeleton that no mesh uses. */
  looseJoints?: number[];
  notes?: string[];
  /** What the file has and the scene does not. */
  losses?: Losses;
}

export interface SceneNode {
  name: string;
  /** Index of the parent, -1 at a root. */
  parent: number;
  /** Relative to the parent, 16 numbers, column-major. */
  matrix: number[];
  mesh?: number | undefined;
  camera?: SceneCamera | undefined;
  light?: SceneLight | undefined;
}

/** A camera that looks along -z. */
export interface SceneCamera {
  /** Vertical field of view in radians; for an orthographic camera, half its height instead. */
  yfov?: number;
  ymag?: number;
  aspect: number;
  near: number;
  far: number;
}

/** A light that shines along -z. */
export interface SceneLight {
  type: "point" | "directional" | "spot";
  color: number[];
  intensity: number;
  /** For a spot light: half its cone angle, in radians. */
  angle?: number;
}

export interface SceneMesh {
  name: string;
  /** C×3, the points of the polygons. */
  points: Float32Array;
  /** N point indices, the concatenated corners of all polygons. */
  corners: Int32Array;
  /** P, corners of each polygon. */
  sizes: Int32Array;
  /** N×3. */
  normals?: Float32Array | undefined;
  /** N×2 each, v down as in glTF. */
  uvSets?: Float32Array[] | undefined;
  /** N×4 each, linear. */
  colors?: Float32Array[] | undefined;
  /** P, into `materials`. */
  polygonMaterials?: Int32Array | undefined;
  materials: number[];
  skin?: SceneSkin | undefined;
  shapes?: SceneShape[] | undefined;
}

/** Maximum UV or color sets read from a mesh. */
export const MAX_SETS = 8;

export interface SceneSkin {
  /** Nodes. */
  joints: number[];
  /** One per joint, from mesh space to joint space in the bind pose. */
  inverseBinds: number[][];
  /** C rows: index into `joints` and weight. */
  influences: [joint: number, weight: number][][];
}

export interface SceneShape {
  name: string;
  /** C×3, the offset of each point. */
  deltas: Float32Array;
  /** Weight at rest; default 0. */
  weight?: number;
}

/** The surface property that a texture controls. */
export type TextureRole =
  | "color"
  | "normal"
  | "metallicRoughness"
  | "roughness"
  | "metallic"
  | "emissive"
  | "occlusion"
  | "opacity";

export interface SceneTexture {
  /** PNG or JPEG; images are compared by identity. */
  picture: Uint8Array;
  name: string;
  /** Index of the UV set; default 0. */
  uvSet?: number;
  /** Whether it is clamped in u and in v, rather than repeated. */
  clamps?: [boolean, boolean];
}

export interface SceneMaterial {
  name: string;
  /** Red, green, blue, alpha, linear. */
  color: [number, number, number, number];
  metallic?: number | undefined;
  roughness?: number | undefined;
  /** Red, green, blue, linear. */
  emissive?: number[] | undefined;
  /** Default true. */
  isDoubleSided?: boolean | undefined;
  textures?: Partial<Record<TextureRole, SceneTexture>>;
}

/** A light gray material. */
export function plainMaterial(name: string): SceneMaterial {
  return { name, color: [0.8, 0.8, 0.8, 1] };
}

export interface SceneAnimation {
  name: string;
  channels: {
    node: number;
    /** T seconds, rising. */
    times: Float32Array;
    /** T×16, the node's matrix at each time. */
    matrices: number[][];
  }[];
  /** Weights of a mesh's shapes over time. */
  shapes?: {
    mesh: number;
    times: Float32Array;
    /** T rows, an entry per shape. */
    weights: number[][];
  }[];
}
