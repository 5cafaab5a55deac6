import type { Losses } from "../losses.ts";

/** What FBX, DAE and OBJ files are read into before they become glTF: polygons, materials, nodes, skins. */
export interface Scene {
  nodes: SceneNode[];
  meshes: SceneMesh[];
  materials: SceneMaterial[];
  animations: SceneAnimation[];
  /** Nodes of a skeleton that no mesh uses. */
  looseJoints?: number[];
  /** What was not found, a sentence each. */
  notes?: string[];
  /** What the file has and the scene does not. */
  lost?: Losses;
}

export interface SceneNode {
  name: string;
  /** Index of the parent, -1 at a root. */
  parent: number;
  /** To the parent's space, 16 numbers, column by column. */
  matrix: number[];
  /** Index of the mesh shown. */
  mesh?: number | undefined;
  camera?: SceneCamera | undefined;
  light?: SceneLight | undefined;
}

/** Looks along -z. */
export interface SceneCamera {
  /** Angle of view from bottom to top, in radians; of a parallel view, half its height instead. */
  yfov?: number;
  ymag?: number;
  aspect: number;
  near: number;
  far: number;
}

/** Shines along -z. */
export interface SceneLight {
  type: "point" | "directional" | "spot";
  color: number[];
  intensity: number;
  /** Of a spot: half its cone's angle, in radians. */
  angle?: number;
}

export interface SceneMesh {
  name: string;
  /** C×3, the points polygons are strung between. */
  points: Float32Array;
  /** N point indices, the corners of all polygons end to end. */
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
  /** Scene materials the mesh uses. */
  materials: number[];
  skin?: SceneSkin | undefined;
  shapes?: SceneShape[] | undefined;
}

/** Nobody keeps more UV sets, or colors, in one mesh. */
export const MOST_SETS = 8;

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
  /** C×3, how far each point moves. */
  deltas: Float32Array;
  /** How far it is applied at rest; default 0. */
  weight?: number;
}

/** What a picture says about a surface. */
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
  /** PNG or JPEG; pictures are told apart by identity. */
  picture: Uint8Array;
  name: string;
  /** Which of the mesh's UV sets; default 0. */
  uvSet?: number;
  /** Whether it ends at its border in u and in v, rather than repeat. */
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

/** A material that says nothing but its name: light gray. */
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
  /** How far the shapes of a mesh are applied. */
  shapes?: {
    mesh: number;
    times: Float32Array;
    /** T rows, an entry per shape. */
    weights: number[][];
  }[];
}
