export type { CharacterFile } from "./character-file.ts";
export { fileLosses } from "./describe-file.ts";
export { baseName, ENDINGS, endingOf, MESH_ENDINGS, RIGGED_ENDINGS } from "./endings.ts";
export { fileFromCharacter, glbFromCharacter } from "./file-from-character.ts";
export type { Rig } from "./gltf/bind-space.ts";
export { type Clip, type ClipChannel, type ClipSet, clipPose, readClips } from "./gltf/clips.ts";
export type { DracoLoader, DracoModule } from "./gltf/decode-compressed.ts";
export type { GltfBuilder } from "./gltf/gltf-builder.ts";
export type { GltfSource, ResolveUri } from "./gltf/gltf-source.ts";
export { movedRig } from "./gltf/moved-rig.ts";
export {
  type CharacterLook,
  type LookAttachment,
  type LookImage,
  type LookMaterial,
  type LookSurface,
  type LookTexture,
  readLook,
} from "./gltf/read-look.ts";
export type { MeshPart } from "./gltf/read-parts.ts";
export { carriedClipSet } from "./gltf/write-animations.ts";
export { canBeHumanoid } from "./gltf/write-humanoid.ts";
export type { WeightType } from "./gltf/write-part-weights.ts";
export type { Loss } from "./losses.ts";
export {
  type InputFile,
  inputFromFiles,
  type ReadCharacterOptions,
  readCharacter,
} from "./read-character.ts";
export { FORMATS, type Format, formatOf, type OutputFormat } from "./registry.ts";
export { formatRigNetText, parseRigNetText, type RigNetRig } from "./rignet/rignet-text.ts";
export { type AppliedWeights, applyWeights } from "./weight-files/apply-weights.ts";
export { type WeightFile, type WeightMesh, weightsOfFile } from "./weight-files/weight-file.ts";
export {
  formatWeights,
  isWeightFormat,
  type ParseWeightsOptions,
  parseWeights,
  type WeightFormat,
} from "./weight-files/weight-formats.ts";
export {
  ownFormat,
  type WriteCharacterOptions,
  type WrittenCharacter,
  writeCharacter,
} from "./write-character.ts";
