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
}

export interface SceneNode {
  name: string;
  /** Index of the parent, -1 at a root. */
  parent: number;
  /** To the parent's space, 16 numbers, column by column. */
  matrix: number[];
  /** Index of the mesh shown. */
  mesh?: number;
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
  normals?: Float32Array;
  /** N×2, v down as in glTF. */
  uvs?: Float32Array;
  /** P, into `materials`. */
  polygonMaterials?: Int32Array;
  /** Scene materials the mesh uses. */
  materials: number[];
  skin?: SceneSkin;
  shapes?: SceneShape[];
}

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
}

export interface SceneMaterial {
  name: string;
  /** Red, green, blue, alpha, linear. */
  color: [number, number, number, number];
  /** PNG or JPEG. */
  texture?: Uint8Array;
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
}
