import type { BoneDoubt, VertexDoubt } from "./find-doubts.ts";

/** What is the matter with vertices, after "are". */
export const VERTEX_DOUBT_TEXT: Readonly<Record<VertexDoubt, string>> = {
  tie: "torn between two bones",
  far: "far from every bone",
  unreachable: "in loose parts no bone reaches",
  clipped: "cut by the limit on influences",
  empty: "given no weight by the method",
};

/** What is the matter with a bone, after "is". */
export const BONE_DOUBT_TEXT: Readonly<Record<BoneDoubt, string>> = {
  tie: "at the same place as another",
  far: "outside the body",
  clipped: "cut by the limit on influences",
  idle: "moving no vertex",
};
