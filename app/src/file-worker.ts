import { dressSample } from "../../samples/dress/index.ts";
import { makeSample } from "../../samples/index.ts";
import {
  baseName,
  type CharacterFile,
  carriedClipSet,
  endingOf,
  fileFromCharacter,
  glbFromCharacter,
  type InputFile,
  inputFromFiles,
  movedRig,
  type Rig,
  readCharacter,
  readClips,
  readLook,
  writeCharacter,
} from "../../src/formats/index.ts";
import { type Character, InputError, type Skeleton, type SkinWeights } from "../../src/index.ts";
import {
  type PreparedCharacter,
  prepareCharacter,
  restoreWeights,
  takeWeights,
  vertexNeighbors,
} from "../../src/parts.ts";
import { bodySymmetry } from "./body-symmetry.ts";
import { answerCalls } from "./call-worker.ts";
import type { FileCalls, OpenedCharacter, PickedFile } from "./file-calls.ts";
import { createFitter, type Fitted } from "./fit-skeleton.ts";
import { loadDraco } from "./load-draco.ts";
import { offeredFormats, type SaveRequest, savedFile } from "./save-file.ts";
import { transferToOpen } from "./transfer-to-open.ts";
import { unzip } from "./unzip.ts";
import { validityOf } from "./validity.ts";

/** Maximum bytes of a file: larger ones and their parsed form exceed the memory that browsers grant a page. */
const LARGEST_FILE = 1 << 30;

/** The file that this worker has read, and its bytes. */
interface OpenFile {
  file: CharacterFile;
  prepared: PreparedCharacter;
  input?: InputFile;
  given?: GivenSkeleton | undefined;
  /** Whether its joints have VRM names. */
  wantsVrm: boolean;
  /** Errors of the file as it was opened. */
  before?: Promise<{ errors: number }>;
}

/** The skeleton and animations from another file. */
interface GivenSkeleton {
  /** That file with its own body; absent for a text file. */
  source?: CharacterFile | undefined;
  /** Frames of its joints: as read, and once aligned. */
  rigs: [Rig, Rig?];
  /** Weights of that file's body, transferred when its joints were aligned. */
  weights?: SkinWeights | undefined;
}

let current: OpenFile | undefined;
const fitter = createFitter();

const calls: FileCalls = {
  async unzip({ file }) {
    const { name, bytes } = await readBytes(file);
    const files = await unzip(name, bytes);
    return files.map(({ name, bytes }) => ({ name, content: new Blob([bytes]) }));
  },
  async addPictures({ files }) {
    const { file, prepared } = opened();
    const before = openedInput();
    const more = await Promise.all(files.map(readBytes));
    const found = new Map(more.map((picture) => [baseName(picture.name), picture.bytes]));
    const used = new Set<string>();
    const resolve: InputFile["resolve"] = async (uri, kind) => {
      const known = await before.resolve?.(uri, kind);
      const name = baseName(decodeURI(uri));
      const given = known ?? found.get(name);
      if (!known && given) used.add(name);
      return given;
    };
    const input = { ...before, resolve };
    const isOwn = file.rig.nodes.every((node) => node >= 0);
    const rig = isOwn ? undefined : file.rig;
    const dressed = await readCharacter(input, { draco: loadDraco, rig, needsJoints: false });
    current = { ...opened(), file: dressed, prepared, input };
    const formats = offeredFormats(dressed, opened().wantsVrm);
    return { look: readLook(dressed), oddities: dressed.oddities, formats, used: used.size };
  },
  async open({ files, skeleton }) {
    const input = inputFromFiles(await Promise.all(files.map(readBytes)));
    const rig = skeleton && (await readBytes(skeleton));
    const file = await readCharacter(input, {
      draco: loadDraco,
      needsJoints: false,
      ...(rig && { skeleton: rig }),
    });
    const { mesh, skeleton: own } = file.character;
    if (mesh.positions.length === 0) return { skeletonOnly: input.name };
    if (own.names.length === 0) return withFitted(input, fitter.guess(mesh));
    const misfit = rig && fitter.misfit(mesh, own);
    return { ...keep(file, input, rig && (await givenBy(rig, file))), misfit };
  },
  async readExample({ files }) {
    const { character, source } = await readOther(files);
    // Named after its file, as on the command line: the name seeds the training.
    return { ...character, name: source.name };
  },
  openSample: ({ name }) => {
    const character = makeSample(name);
    const dress = dressSample(character);
    return keep(fileFromCharacter(character, dress));
  },
  async fit({ template, ...how }) {
    const { file } = opened();
    return withFitted(openedInput(), fitter.fit(file.character.mesh, template, how));
  },
  async takeSkeleton({ skeleton }) {
    const input = openedInput();
    const rig = await readBytes(skeleton);
    const file = await readCharacter(input, { draco: loadDraco, skeleton: rig });
    const misfit = fitter.misfit(file.character.mesh, file.character.skeleton);
    return { ...keep(file, input, await givenBy(rig, file)), misfit };
  },
  async setSkeleton({ skeleton, wantsVrm }) {
    const { prepared, given } = opened();
    const { scale, offset } = prepared;
    const positions = skeleton.positions.map((value, i) => value / scale + offset[i % 3]);
    if (!given) return withSkeleton(openedInput(), { ...skeleton, positions }, wantsVrm);
    const nearest = nearestRig(given.rigs, positions);
    const { weights, ...rest } = given;
    const hasWeights = weights && nearest === given.rigs[1];
    return withRig(hasWeights ? given : rest, movedRig(nearest, positions));
  },
  async align() {
    const { file, given } = opened();
    if (!given) throw new Error("file worker: no file gave the skeleton.");
    const [rig] = given.rigs;
    const from = given.source?.character ?? { skeleton: rig.skeleton };
    const { skeleton, rotation, weights } = fitter.aligned(file.character.mesh, from);
    const moved = movedRig(rig, skeleton.positions, rotation);
    return withRig({ ...given, rigs: [rig, moved], weights }, moved);
  },
  snap({ point, isMiddle }) {
    const { file, prepared } = opened();
    const { scale, offset } = prepared;
    const at = point.map((value, axis) => value / scale + offset[axis]);
    const snapped = fitter.snap(file.character.mesh, at, isMiddle);
    return snapped.map((value, axis) => (value - offset[axis]) * scale);
  },
  facts() {
    const { character } = opened().prepared;
    const { positions, triangles } = character.mesh;
    return {
      neighbors: vertexNeighbors(triangles, positions.length / 3),
      ...bodySymmetry(opened().prepared),
    };
  },
  async transfer({ files }) {
    const { character } = await readOther(files);
    return { weights: await transferToOpen(character, opened()), from: character.name };
  },
  write: ({ weights, ...request }) => written(weights, request),
  pack() {
    // The server does not need the character's name.
    const { file, given } = opened();
    const { weights } = given ?? {};
    const character = { ...file.character, name: "character", ...(weights && { weights }) };
    return glbFromCharacter(character) as Uint8Array<ArrayBuffer>;
  },
  async unpack({ bytes }) {
    const { character } = await readCharacter({ name: "result.glb", bytes });
    const { welded, character: prepared } = opened().prepared;
    // All vertices at the same position share a row.
    const any = new Int32Array(prepared.mesh.positions.length / 3);
    welded.forEach((place, vertex) => {
      any[place] = vertex;
    });
    return takeWeights(character.weights!, any);
  },
  async validate({ weights }) {
    const open = opened();
    const { input } = open;
    if (input && isGlb(input.bytes)) open.before ??= validityOf(input.bytes.slice());
    const glb = await written(weights, { format: "glb", stem: "", motions: [] });
    const { errors } = await validityOf(glb.bytes);
    return { errors, before: (await open.before)?.errors };
  },
};

function written(weights: SkinWeights, request: SaveRequest) {
  const { file, prepared, given } = opened();
  return savedFile(file, restoreWeights(prepared, weights), request, given?.source);
}

/** Whether bytes start with the magic of a GLB. */
function isGlb(bytes: Uint8Array): boolean {
  return String.fromCharCode(...bytes.subarray(0, 4)) === "glTF";
}

/** The open file. */
function opened(): OpenFile {
  if (!current) throw new Error("file worker: no file is open.");
  return current;
}

/** Bytes of the open file; those of a sample are generated on demand. */
function openedInput(): InputFile {
  const open = opened();
  if (!open.input) {
    const { name, weights } = open.file.character;
    const { bytes } = writeCharacter(open.file, weights!, { format: "glb" });
    open.input = { name: `${name}.glb`, bytes };
  }
  return open.input;
}

async function readOther(files: PickedFile[]): Promise<CharacterFile> {
  const input = inputFromFiles(await Promise.all(files.map(readBytes)));
  const file = await readCharacter(input, { draco: loadDraco, needsJoints: false });
  if (file.character.weights) return file;
  throw new InputError(`${input.name}: it has no weights; choose a character with weights.`);
}

/** The open mesh with other joints; the file is read again, so that everything else stays as in the file. */
async function withSkeleton(
  input: InputFile,
  joints: Skeleton,
  wantsVrm = false,
): Promise<OpenedCharacter> {
  return keep(await readCharacter(input, { draco: loadDraco, joints }), input, undefined, wantsVrm);
}

/** Like {@link withSkeleton}, for the joints of another file, which keep their frames. */
async function withRig(given: GivenSkeleton, rig: Rig): Promise<OpenedCharacter> {
  const input = openedInput();
  return keep(await readCharacter(input, { draco: loadDraco, rig }), input, given);
}

/** The rig whose joints are nearest to the wanted positions. */
function nearestRig([first, second = first]: GivenSkeleton["rigs"], positions: Float32Array): Rig {
  const away = ({ skeleton }: Rig) =>
    skeleton.positions.reduce((sum, value, i) => sum + (value - positions[i]) ** 2, 0);
  return away(second) < away(first) ? second : first;
}

async function withFitted(
  input: InputFile,
  { template, skeleton }: Fitted,
): Promise<OpenedCharacter> {
  return { ...(await withSkeleton(input, skeleton)), template };
}

async function readBytes({ name, content }: PickedFile) {
  if (content.size > LARGEST_FILE) {
    const size = (content.size / 2 ** 20).toFixed(0);
    throw new InputError(
      `${name}: ${size} MB is too large for a browser; install HeterSkin on your computer for files of this size.`,
    );
  }
  try {
    return { name, bytes: new Uint8Array(await content.arrayBuffer()) };
  } catch {
    throw new InputError(`${name}: the browser could not read it; check that it is still there.`);
  }
}

/** Reads a file as the skeleton for the open mesh. */
async function givenBy(rig: InputFile, { rig: first }: CharacterFile): Promise<GivenSkeleton> {
  if (endingOf(rig.name) === ".txt") return { rigs: [first] };
  try {
    return { source: await readCharacter(rig, { draco: loadDraco }), rigs: [first] };
  } catch (error) {
    // Its joints are usable even if its mesh is broken.
    if (error instanceof InputError) return { rigs: [first] };
    throw error;
  }
}

function keep(
  file: CharacterFile,
  input?: InputFile,
  given?: GivenSkeleton,
  wantsVrm = false,
): OpenedCharacter {
  const { character, format, oddities } = file;
  const { prepared, carried } = preparedWith(character, given?.weights);
  current = { file, prepared, given, wantsVrm, ...(input && { input }) };
  return {
    name: character.name,
    format,
    vertices: character.mesh.positions.length / 3,
    triangles: character.mesh.triangles.length / 3,
    prepared,
    carried,
    look: readLook(file),
    clips: given?.source ? carriedClipSet(file.rig, given.source) : readClips(file),
    formats: offeredFormats(file, wantsVrm),
    oddities,
  };
}

/** Prepares a character, together with weights that came with its skeleton. */
function preparedWith(character: Character, weights: SkinWeights | undefined) {
  if (!weights) return { prepared: prepareCharacter(character) };
  const prepared = prepareCharacter({ ...character, weights });
  const { weights: carried, ...rest } = prepared.character;
  return { prepared: { ...prepared, character: rest }, carried };
}

answerCalls(calls, (error) => error instanceof InputError);
