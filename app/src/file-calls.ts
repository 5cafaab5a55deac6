import type { CharacterLook, ClipSet } from "../../src/formats/index.ts";
import type { Character, Skeleton, SkinWeights } from "../../src/index.ts";
import type { Lists, PreparedCharacter, Symmetry } from "../../src/parts.ts";
import type { FitOptions, Misfit } from "./fit-skeleton.ts";
import type { OfferedFormat, SavedFile, SaveRequest } from "./save-file.ts";

/** A character as the page needs it; the file itself stays in the worker. */
export interface OpenedCharacter {
  name: string;
  format: string;
  /** Counts of the file; the prepared mesh has fewer vertices, since seams are closed. */
  vertices: number;
  triangles: number;
  prepared: PreparedCharacter;
  /** Weights that came with the skeleton of another character, by prepared vertex; a bind blends them in. */
  carried?: SkinWeights | undefined;
  look: CharacterLook;
  clips: ClipSet;
  /** The formats it can be saved in, the preferred one first. */
  formats: OfferedFormat[];
  oddities: string[];
  /** Of a mesh that came without a skeleton: the template that was put into it, to be adjusted. */
  template?: string | undefined;
  /** Of a skeleton that does not fit the mesh: what would have to be done to it. */
  misfit?: Misfit | undefined;
}

/** What a file turned out to be. */
export type OpenedFile = OpenedCharacter | { skeletonOnly: string };

/** What the brush must know of a mesh. */
export interface BodyFacts {
  neighbors: Lists;
  symmetry: Symmetry;
  /** Whether mesh and skeleton are alike on both sides. */
  isSymmetric: boolean;
}

/** Errors that the validator of Khronos finds. */
export interface Validity {
  errors: number;
  /** In the file as it was opened, where it was a GLB. */
  before?: number | undefined;
}

/** A file the visitor dropped or picked. */
export interface PickedFile {
  name: string;
  content: Blob;
}

/** What the file worker can be asked. */
export type FileCalls = {
  open(input: { files: PickedFile[]; skeleton?: PickedFile | undefined }): Promise<OpenedFile>;
  /** What may belong to characters in a ZIP. */
  unzip(input: { file: PickedFile }): Promise<PickedFile[]>;
  /** Puts pictures on the open file that it named and that were not there; names of those it needs still. */
  addPictures(input: { files: PickedFile[] }): Promise<{
    look: CharacterLook;
    oddities: string[];
    formats: OfferedFormat[];
    used: number;
  }>;
  openSample(input: { name: string }): OpenedCharacter;
  /** Puts a template into the open mesh. */
  fit(input: { template: string } & FitOptions): Promise<OpenedCharacter>;
  /** Takes the skeleton of another file for the open mesh. */
  takeSkeleton(input: { skeleton: PickedFile }): Promise<OpenedCharacter>;
  /** Takes joints as they were dragged, in the prepared space. */
  setSkeleton(input: { skeleton: Skeleton; wantsVrm?: boolean }): Promise<OpenedCharacter>;
  /** Brings a skeleton that does not fit to where it does. */
  align(): Promise<OpenedCharacter>;
  /** The middle of the body near a point of the prepared space. */
  snap(input: { point: number[]; isMiddle: boolean }): number[];
  facts(): BodyFacts;
  /** Reads a character to learn from; the open file stays open. */
  readExample(input: { files: PickedFile[] }): Promise<Character>;
  /** Weights for the open mesh from a skinned character in the same place. */
  transfer(input: { files: PickedFile[] }): Promise<{ weights: SkinWeights; from: string }>;
  write(input: { weights: SkinWeights } & SaveRequest): Promise<SavedFile>;
  /** Mesh, skeleton and weights of the open file as a GLB, for the server. */
  pack(): Uint8Array<ArrayBuffer>;
  /** The weights that such a GLB came back with, by welded vertex. */
  unpack(input: { bytes: Uint8Array<ArrayBuffer> }): Promise<SkinWeights>;
  /** What the validator of Khronos says of the file as it would be written, and of the file as it came. */
  validate(input: { weights: SkinWeights }): Promise<Validity>;
};
