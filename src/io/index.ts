export type { Rig } from "./bind-space.ts";
export type { CharacterFile } from "./character-file.ts";
export { type Clip, type ClipChannel, type ClipSet, clipPose } from "./clip-pose.ts";
export type { DracoLoader, DracoModule } from "./decode-draco.ts";
export { fileFromCharacter } from "./file-from-character.ts";
export { FORMATS, type Format, formatOf, type OutputFormat } from "./formats.ts";
export type { GltfSource, ResolveUri } from "./gltf-source.ts";
export { inputFromFiles } from "./input-from-files.ts";
export type { MeshPart } from "./mesh-part.ts";
export { type InputFile, type ReadCharacterOptions, readCharacter } from "./read-character.ts";
export { readClips } from "./read-clips.ts";
export { formatRigNetText, parseRigNetText, type RigNetRig } from "./rignet-text.ts";
export {
  type WriteCharacterOptions,
  type WrittenCharacter,
  writeCharacter,
} from "./write-character.ts";
export type { WeightType } from "./write-part-weights.ts";
