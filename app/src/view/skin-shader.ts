import {
  DataTexture,
  FloatType,
  NearestFilter,
  RGBAFormat,
  type WebGLProgramParametersWithUniforms,
} from "three";

/** The matrices of all joints, in a texture that the shaders of a character read. */
export interface BoneTexture {
  uniforms: { bones: { value: DataTexture }; isPosed: { value: boolean } };
  /** @param matrices J×16 from the bind pose; undefined leaves every vertex in place */
  set(matrices: Float32Array | undefined): void;
  dispose(): void;
}

/** Texels per row: four per matrix. */
const WIDTH = 1024;

/** Creates the texture of a skeleton, at rest. */
export function createBoneTexture(joints: number): BoneTexture {
  const height = Math.max(1, Math.ceil((joints * 4) / WIDTH));
  const data = new Float32Array(WIDTH * height * 4);
  const texture = new DataTexture(data, WIDTH, height, RGBAFormat, FloatType);
  texture.minFilter = texture.magFilter = NearestFilter;
  const uniforms = { bones: { value: texture }, isPosed: { value: false } };
  return {
    uniforms,
    set(matrices) {
      uniforms.isPosed.value = matrices !== undefined;
      if (!matrices) return;
      data.set(matrices);
      texture.needsUpdate = true;
    },
    dispose: () => texture.dispose(),
  };
}

/** Eight joints per vertex; a vertex whose weights sum to 0 stays in place. */
const DECLARATIONS = `
uniform highp sampler2D bones;
uniform bool isPosed;
attribute vec4 jointsA;
attribute vec4 jointsB;
attribute vec4 weightsA;
attribute vec4 weightsB;
mat4 boneAt(const in float joint) {
  int texel = int(joint) * 4;
  int x = texel % ${WIDTH};
  int y = texel / ${WIDTH};
  return mat4(
    texelFetch(bones, ivec2(x, y), 0),
    texelFetch(bones, ivec2(x + 1, y), 0),
    texelFetch(bones, ivec2(x + 2, y), 0),
    texelFetch(bones, ivec2(x + 3, y), 0)
  );
}
mat4 blendedBones() {
  mat4 sum = weightsA.x * boneAt(jointsA.x);
  if (weightsA.y > 0.0) sum += weightsA.y * boneAt(jointsA.y);
  if (weightsA.z > 0.0) sum += weightsA.z * boneAt(jointsA.z);
  if (weightsA.w > 0.0) sum += weightsA.w * boneAt(jointsA.w);
  if (weightsB.x > 0.0) {
    sum += weightsB.x * boneAt(jointsB.x);
    if (weightsB.y > 0.0) sum += weightsB.y * boneAt(jointsB.y);
    if (weightsB.z > 0.0) sum += weightsB.z * boneAt(jointsB.z);
    if (weightsB.w > 0.0) sum += weightsB.w * boneAt(jointsB.w);
  }
  return sum;
}
bool isSkinned() {
  return isPosed && weightsA.x > 0.0;
}
`;

/** Adds linear blend skinning of vertices and normals to a three.js shader. */
export function skinShader(
  shader: WebGLProgramParametersWithUniforms,
  uniforms: BoneTexture["uniforms"],
): void {
  Object.assign(shader.uniforms, uniforms);
  shader.vertexShader = shader.vertexShader
    .replace("#include <common>", `#include <common>\n${DECLARATIONS}`)
    .replace(
      "#include <beginnormal_vertex>",
      "#include <beginnormal_vertex>\nif (isSkinned()) objectNormal = mat3(blendedBones()) * objectNormal;",
    )
    .replace(
      "#include <begin_vertex>",
      "#include <begin_vertex>\nif (isSkinned()) transformed = (blendedBones() * vec4(transformed, 1.0)).xyz;",
    );
}
