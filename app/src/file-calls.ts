import type { CharacterLook, ClipSet } from "../../src/formats/index.ts";
import type { Character, Skeleton, SkinWeights } from "../../src/index.ts";
import type { Lists, PreparedCharacter, Symmetry } from "../../src/parts.ts";
import type { FitOptions, Misfit } from "./fit-skeleton.ts";
import type { OfferedFormat, SavedFile, SaveRequest } from "./save-file.ts";

/** A character as the page needs it; the file itself stays in the worker. */
export interface OpenedCharacter {
  name: string;
  format: string;
  /** Counts of the file; the prepared mesh has fewer vertices, since seams are welded. */
  vertices: number;
  triangles: number;
  prepared: PreparedCharacter;
  /** Weights that came with the skeleton of another character, by prepared vertex; a bind blends them in. */
  carried?: SkinWeights | undefined;
  look: CharacterLook;
  clips: ClipSet;
  /** Formats it can be saved in, the preferred one first. */
  formats: OfferedFormat[];
  oddities: string[];
  /** For a mesh without a skeleton: the template that was fitted into it, to be adjusted. */
  template?: string | undefined;
  /** For a skeleton that does not fit the mesh: how it could be aligned. */
  misfit?: Misfit | undefined;
}

/** Content of a file that was read. */
export type OpenedFile = OpenedCharacter | { skeletonOnly: string };

/** What the brush needs to know about a mesh. */
export interface BodyFacts {
  neighbors: Lists;
  symmetry: Symmetry;
  /** Whether mesh and skeleton are the same on both sides. */
  isSymmetric: boolean;
}

/** Errors found by the Khronos glTF validator. */
export interface Validity {
  errors: number;
  /** Errors in the file as it was opened, if it was a GLB. */
  before?: number | undefined;
}

/** A file that the visitor dropped or picked. */
export interface PickedFile {
  name: string;
  content: Blob;
}

/** Calls of the file worker. */
export type FileCalls = {
  open(input: { files: PickedFile[]; skeleton?: PickedFile | undefined }): Promise<OpenedFile>;
  /** Files of a ZIP that may belong to a character. */
  unzip(input: { file: PickedFile }): Promise<PickedFile[]>;
  /** Adds missing images that the open file refers to. Returns the names of those still missing. */
  addPictures(input: { files: PickedFile[] }): Promise<{
    look: CharacterLook;
    oddities: string[];
    formats: OfferedFormat[];
    used: number;
  }>;
  openSample(input: { name: string }): OpenedCharacter;
  /** Fits a template into the open mesh. */
  fit(input: { template: string } & FitOptions): Promise<OpenedCharacter>;
  /** Uses the skeleton of another file for the open mesh. */
  takeSkeleton(input: { skeleton: PickedFile }): Promise<OpenedCharacter>;
  /** Sets the joints as they were dragged, in the prepared space. */
  setSkeleton(input: { skeleton: Skeleton; wantsVrm?: boolean }): Promise<OpenedCharacter>;
  /** Aligns a skeleton that does not fit. */
  align(): Promise<OpenedCharacter>;
  /** The middle of the body near a point in the prepared space. */
  snap(input: { point: number[]; isMiddle: boolean }): number[];
  facts(): BodyFacts;
  /** Reads a character to learn from; the open file stays open. */
  readExample(input: { files: PickedFile[] }): Promise<Character>;
  /** Weights for the open mesh from a skinned character in the same position. */
  transfer(input: { files: PickedFile[] }): Promise<{ weights: SkinWeights; from: string }>;
  write(input: { weights: SkinWeights } & SaveRequest): Promise<SavedFile>;
  /** Mesh, skeleton and weights of the open file as a GLB for the server. */
  pack(): Uint8Array<ArrayBuffer>;
  /** Weights in the GLB that the server returned, by welded vertex. */
  unpack(input: { bytes: Uint8Array<ArrayBuffer> }): Promise<SkinWeights>;
  /** Validates the file as it would be written, and as it was opened. */
  validate(input: { weights: SkinWeights }): Promise<Validity>;
};
