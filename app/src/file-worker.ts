import { makeSample } from "../../samples/index.ts";
import { type Character, InputError, type SkinWeights } from "../../src/index.ts";
import {
  type CharacterFile,
  type ClipSet,
  fileFromCharacter,
  fileLosses,
  inputFromFiles,
  type Loss,
  type OutputFormat,
  readCharacter,
  readClips,
  writeCharacter,
} from "../../src/io/index.ts";
import { type PreparedCharacter, prepareCharacter, restoreWeights } from "../../src/parts.ts";
import { answerCalls } from "./call-worker.ts";
import { loadDraco } from "./load-draco.ts";

/** A character as the page needs it; the file itself stays in the worker. */
export interface OpenedCharacter {
  name: string;
  format: string;
  /** Counts of the file; the prepared mesh has fewer vertices, since seams are closed. */
  vertices: number;
  triangles: number;
  prepared: PreparedCharacter;
  clips: ClipSet;
  isVrm: boolean;
  oddities: string[];
  /** What the file has and a GLB of it does not. */
  lost: Loss[];
}

/** A file the visitor dropped or picked. */
export interface PickedFile {
  name: string;
  content: Blob;
}

/** What the file worker can be asked. */
export type FileCalls = {
  open(input: { files: PickedFile[]; skeleton?: PickedFile }): Promise<OpenedCharacter>;
  openSample(input: { name: string }): OpenedCharacter;
  /** Reads a character to learn from; the open file stays open. */
  readExample(input: { files: PickedFile[] }): Promise<Character>;
  write(input: {
    weights: SkinWeights;
    maxInfluences: number;
    format: OutputFormat;
  }): Uint8Array<ArrayBuffer>;
};

/** More than this does not fit beside its own parsed form in the memory browsers give a page. */
const LARGEST_FILE = 1 << 30;

let current: { file: CharacterFile; prepared: PreparedCharacter } | undefined;

const calls: FileCalls = {
  async open({ files, skeleton }) {
    const input = inputFromFiles(await Promise.all(files.map(readBytes)));
    return keep(
      await readCharacter(input, {
        draco: loadDraco,
        ...(skeleton ? { skeleton: await readBytes(skeleton) } : {}),
      }),
    );
  },
  async readExample({ files }) {
    const input = inputFromFiles(await Promise.all(files.map(readBytes)));
    return (await readCharacter(input, { draco: loadDraco })).character;
  },
  openSample: ({ name }) => keep(fileFromCharacter(makeSample(name))),
  write({ weights, maxInfluences, format }) {
    if (!current) throw new Error("write: no file is open.");
    const all = restoreWeights(current.prepared, weights);
    const { bytes } = writeCharacter(current.file, all, { format, maxInfluences });
    return bytes as Uint8Array<ArrayBuffer>;
  },
};

async function readBytes({ name, content }: PickedFile) {
  if (content.size > LARGEST_FILE) {
    const size = (content.size / 2 ** 20).toFixed(0);
    throw new InputError(
      `${name}: ${size} MB are too many for a browser; use the command line: heterskin bind ${name}`,
    );
  }
  try {
    return { name, bytes: new Uint8Array(await content.arrayBuffer()) };
  } catch {
    throw new InputError(`${name}: the browser could not read it; check that it is still there.`);
  }
}

function keep(file: CharacterFile): OpenedCharacter {
  const { character, format, oddities } = file;
  const prepared = prepareCharacter(character);
  const extensions = file.source.json.extensions ?? {};
  const clips = readClips(file);
  current = { file, prepared };
  return {
    name: character.name,
    format,
    vertices: character.mesh.positions.length / 3,
    triangles: character.mesh.triangles.length / 3,
    prepared,
    clips,
    isVrm: "VRM" in extensions || "VRMC_vrm" in extensions,
    oddities,
    lost: fileLosses(file, "glb"),
  };
}

answerCalls(calls, (error) => error instanceof InputError);
