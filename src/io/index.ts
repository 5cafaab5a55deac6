export type { CharacterFile } from "./character-file.ts";
export { ENDINGS, endingOf, MESH_ENDINGS, RIGGED_ENDINGS } from "./endings.ts";
export { fileFromCharacter, glbFromCharacter } from "./file-from-character.ts";
export { fileLosses } from "./file-losses.ts";
export { FORMATS, type Format, formatOf, type OutputFormat } from "./formats.ts";
export type { Rig } from "./gltf/bind-space.ts";
export { type Clip, type ClipChannel, type ClipSet, clipPose } from "./gltf/clip-pose.ts";
export type { DracoLoader, DracoModule } from "./gltf/decode-draco.ts";
export type { CharacterDress } from "./gltf/dress-gltf.ts";
export type { GltfSource, ResolveUri } from "./gltf/gltf-source.ts";
export type { MeshPart } from "./gltf/mesh-part.ts";
export { readClips } from "./gltf/read-clips.ts";
export {
  type CharacterLook,
  type LookAttachment,
  type LookSurface,
  readLook,
} from "./gltf/read-look.ts";
export type { LookImage, LookMaterial, LookTexture } from "./gltf/read-materials.ts";
export type { WeightType } from "./gltf/write-part-weights.ts";
export { inputFromFiles } from "./input-from-files.ts";
export type { Loss } from "./losses.ts";
export { ownFormat } from "./own-format.ts";
export { type InputFile, type ReadCharacterOptions, readCharacter } from "./read-character.ts";
export { formatRigNetText, parseRigNetText, type RigNetRig } from "./rignet-text.ts";
export {
  type WriteCharacterOptions,
  type WrittenCharacter,
  writeCharacter,
} from "./write-character.ts";
