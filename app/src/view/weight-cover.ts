import type { Material } from "three";
import { type BoneTexture, skinShader } from "./skin-shader.ts";

/** Opacity of the weight colors over the materials' own colors; shared by all materials. */
export interface Cover {
  value: number;
}

/**
 * Blends the colors of the attribute `heat` over a material by `cover`, which also fades emission and
 * transparency. A negative red hides the surface.
 */
export function coverWithWeights(material: Material, cover: Cover, bones: BoneTexture): void {
  material.onBeforeCompile = (shader) => {
    shader.uniforms.cover = cover;
    skinShader(shader, bones.uniforms);
    shader.vertexShader = shader.vertexShader
      .replace("#include <common>", "#include <common>\nattribute vec3 heat;\nvarying vec3 vHeat;")
      .replace("#include <begin_vertex>", "#include <begin_vertex>\nvHeat = heat;");
    shader.fragmentShader = shader.fragmentShader
      .replace("#include <common>", "#include <common>\nuniform float cover;\nvarying vec3 vHeat;")
      .replace(
        "#include <color_fragment>",
        `#include <color_fragment>
        if (vHeat.r < -0.001) discard;
        float shade = dot(diffuseColor.rgb, vec3(0.35, 0.5, 0.15));
        // In a mix, the light and dark areas of the character show through the weight colors.
        vec3 tinted = vHeat * mix(0.55 + 0.75 * shade, 1.0, smoothstep(0.6, 1.0, cover));
        diffuseColor.rgb = mix(diffuseColor.rgb, tinted, cover);
        #ifndef USE_ALPHATEST
        diffuseColor.a = mix(diffuseColor.a, 1.0, cover);
        #endif`,
      )
      .replace(
        "#include <emissivemap_fragment>",
        "#include <emissivemap_fragment>\ntotalEmissiveRadiance *= 1.0 - cover;",
      );
  };
  material.customProgramCacheKey = () => "weights";
}
