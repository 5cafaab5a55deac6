import {
  ClampToEdgeWrapping,
  DoubleSide,
  FrontSide,
  MeshStandardMaterial,
  MirroredRepeatWrapping,
  RepeatWrapping,
  SRGBColorSpace,
  Texture,
} from "three";
import type { CharacterLook, LookMaterial, LookTexture } from "../../../src/formats/index.ts";
import type { BoneTexture } from "./skin-shader.ts";
import { type Cover, coverWithWeights } from "./weight-cover.ts";

/** Materials of a character in the scene, disposed of with it. */
export interface LookMaterials {
  list: MeshStandardMaterial[];
  dispose(): void;
}

const WRAPS = {
  repeat: RepeatWrapping,
  mirror: MirroredRepeatWrapping,
  clamp: ClampToEdgeWrapping,
};

/** Maximum side of a texture; larger images are halved until they fit, since the view shows no more detail. */
const LARGEST_PICTURE = 2048;

/**
 * Creates the materials of a character; textures appear once they are decoded.
 *
 * @param ready called when a texture is ready to be drawn
 */
export function createLookMaterials(
  { materials, images, colors }: CharacterLook,
  cover: Cover,
  bones: BoneTexture,
  ready: () => void,
): LookMaterials {
  const pictures = images.map(({ bytes, type }) =>
    unpack(new Blob([bytes as Uint8Array<ArrayBuffer>], { type })),
  );
  const textures: Texture[] = [];
  let isGone = false;
  const textureOf = (look: LookTexture | undefined, place: (texture: Texture) => void) => {
    if (!look) return;
    pictures[look.image].then((picture) => {
      if (!picture || isGone) return;
      const texture = new Texture(picture);
      textures.push(texture);
      texture.flipY = false;
      texture.colorSpace = SRGBColorSpace;
      [texture.wrapS, texture.wrapT] = [WRAPS[look.wrap[0]], WRAPS[look.wrap[1]]];
      texture.offset.fromArray(look.offset);
      texture.repeat.fromArray(look.scale);
      texture.rotation = look.rotation;
      texture.anisotropy = 4;
      texture.needsUpdate = true;
      place(texture);
      ready();
    });
  };
  const list = materials.map((look) => {
    const material = plainMaterial(look, colors !== undefined);
    coverWithWeights(material, cover, bones);
    textureOf(look.texture, (texture) => {
      material.map = texture;
      material.needsUpdate = true;
    });
    textureOf(look.glowTexture, (texture) => {
      material.emissiveMap = texture;
      material.needsUpdate = true;
    });
    return material;
  });
  return {
    list,
    dispose() {
      isGone = true;
      for (const part of [...list, ...textures]) part.dispose();
      // Image bitmaps are large, and garbage collection frees them late.
      for (const picture of pictures) void picture.then((unpacked) => unpacked?.close());
    },
  };
}

function plainMaterial(look: LookMaterial, hasColors: boolean): MeshStandardMaterial {
  const { color, glow, opacity, cutoff, roughness, isTwoSided } = look;
  const material = new MeshStandardMaterial({
    vertexColors: hasColors,
    roughness: Math.max(0.35, roughness),
    // Without an environment to reflect, metal would be black.
    metalness: 0,
    side: isTwoSided ? DoubleSide : FrontSide,
    transparent: opacity === "blend",
    opacity: opacity === "opaque" ? 1 : color[3],
    alphaTest: opacity === "mask" ? cutoff : 0,
    polygonOffset: true,
    polygonOffsetFactor: 1,
    polygonOffsetUnits: 1,
  });
  material.color.setRGB(color[0], color[1], color[2]);
  material.emissive.setRGB(glow[0], glow[1], glow[2]);
  return material;
}

async function unpack(picture: Blob): Promise<ImageBitmap | undefined> {
  try {
    const bitmap = await createImageBitmap(picture, { colorSpaceConversion: "none" });
    const side = Math.max(bitmap.width, bitmap.height);
    if (side <= LARGEST_PICTURE) return bitmap;
    const share = LARGEST_PICTURE / side;
    const small = await createImageBitmap(bitmap, {
      resizeWidth: Math.max(1, Math.round(bitmap.width * share)),
      resizeHeight: Math.max(1, Math.round(bitmap.height * share)),
    });
    bitmap.close();
    return small;
  } catch {
    // A damaged image leaves the base color.
    return undefined;
  }
}
