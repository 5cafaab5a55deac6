import { dressSample } from "../../samples/dress/index.ts";
import { makeSample } from "../../samples/index.ts";
import {
  type CharacterFile,
  fileFromCharacter,
  fileLosses,
  glbFromCharacter,
  type InputFile,
  inputFromFiles,
  type OutputFormat,
  ownFormat,
  readCharacter,
  readClips,
  readLook,
  writeCharacter,
} from "../../src/formats/index.ts";
import { InputError, type Skeleton, type SkinWeights } from "../../src/index.ts";
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
import { transferToOpen } from "./transfer-to-open.ts";
import { validityOf } from "./validity.ts";

/** More than this does not fit beside its own parsed form in the memory browsers give a page. */
const LARGEST_FILE = 1 << 30;

/** What this worker has read, and the bytes it was read from. */
interface OpenFile {
  file: CharacterFile;
  prepared: PreparedCharacter;
  input?: InputFile;
}

let current: OpenFile | undefined;
const fitter = createFitter();

const calls: FileCalls = {
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
    return { ...keep(file, input), misfit };
  },
  async readExample({ files }) {
    const { character, source } = await readOther(files);
    // Named after its file, as on the command line: the name is the seed of what is learned.
    return { ...character, name: source.name };
  },
  openSample: ({ name }) => {
    const character = makeSample(name);
    const dress = dressSample(character);
    return keep(fileFromCharacter(character, dress));
  },
  async fit({ template }) {
    const { file } = opened();
    return withFitted(openedInput(), fitter.fit(file.character.mesh, template));
  },
  async takeSkeleton({ skeleton }) {
    const input = openedInput();
    const rig = await readBytes(skeleton);
    const file = await readCharacter(input, { draco: loadDraco, skeleton: rig });
    const misfit = fitter.misfit(file.character.mesh, file.character.skeleton);
    return { ...keep(file, input), misfit };
  },
  setSkeleton({ skeleton }) {
    const { scale, offset } = opened().prepared;
    const positions = skeleton.positions.map((value, i) => value / scale + offset[i % 3]);
    return withSkeleton(openedInput(), { ...skeleton, positions });
  },
  async align() {
    const { file } = opened();
    return withSkeleton(
      openedInput(),
      fitter.aligned(file.character.mesh, file.character.skeleton),
    );
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
    return { weights: transferToOpen(character, opened()), from: character.name };
  },
  write({ weights, maxInfluences, format }) {
    return written(weights, maxInfluences, format);
  },
  pack() {
    // Whose character it is the server need not know.
    const character = { ...opened().file.character, name: "character" };
    return glbFromCharacter(character) as Uint8Array<ArrayBuffer>;
  },
  async unpack({ bytes }) {
    const { character } = await readCharacter({ name: "result.glb", bytes });
    const { welded, character: prepared } = opened().prepared;
    // All vertices of a place have one row.
    const any = new Int32Array(prepared.mesh.positions.length / 3);
    welded.forEach((place, vertex) => {
      any[place] = vertex;
    });
    return takeWeights(character.weights!, any);
  },
  validate: ({ weights }) => validityOf(written(weights, weights.influences, "glb")),
};

function written(
  weights: SkinWeights,
  maxInfluences: number,
  format: OutputFormat,
): Uint8Array<ArrayBuffer> {
  const { file, prepared } = opened();
  const all = restoreWeights(prepared, weights);
  return writeCharacter(file, all, { format, maxInfluences }).bytes as Uint8Array<ArrayBuffer>;
}

/** The file that is open. */
function opened(): OpenFile {
  if (!current) throw new Error("file worker: no file is open.");
  return current;
}

/** The bytes of the open file; those of a sample are made when they are asked for. */
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
  throw new InputError(`${input.name}: it has no weights; choose a character that was bound.`);
}

/** The open mesh with other joints; the file is read again, so that everything else stays as in the file. */
async function withSkeleton(input: InputFile, skeleton: Skeleton): Promise<OpenedCharacter> {
  return keep(await readCharacter(input, { draco: loadDraco, joints: skeleton }), input);
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
      `${name}: ${size} MB are too many for a browser; install HeterSkin on your computer for files of this size.`,
    );
  }
  try {
    return { name, bytes: new Uint8Array(await content.arrayBuffer()) };
  } catch {
    throw new InputError(`${name}: the browser could not read it; check that it is still there.`);
  }
}

function keep(file: CharacterFile, input?: InputFile): OpenedCharacter {
  const { character, format, oddities } = file;
  const prepared = prepareCharacter(character);
  current = { file, prepared, ...(input && { input }) };
  return {
    name: character.name,
    format,
    vertices: character.mesh.positions.length / 3,
    triangles: character.mesh.triangles.length / 3,
    prepared,
    look: readLook(file),
    clips: readClips(file),
    ownFormat: ownFormat(file),
    oddities,
    lost: fileLosses(file, "glb"),
  };
}

answerCalls(calls, (error) => error instanceof InputError);
