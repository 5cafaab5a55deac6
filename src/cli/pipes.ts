import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { KEPT, outputFormat } from "../disk/output-paths.ts";
import { InputError } from "../input-error.ts";
import type { CommandContext } from "./command.ts";

/** The name that stands for standard input, or standard output. */
export const PIPE = "-";

/** The paths of a command that may be pipes. */
export interface PipedFiles {
  input: string;
  output: string;
  /** Further files that are written, one of which may be a pipe. */
  writes?: readonly (string | undefined)[] | undefined;
  reads?: readonly (string | undefined)[] | undefined;
  /** Maximum bytes of standard input; default 1 GiB. */
  maxMemory?: number | undefined;
}

/** Real paths in place of `-`. */
export interface RealFiles {
  input: string;
  output: string;
  /** The output, for people. */
  shown: string;
}

/**
 * Runs a command on paths, and moves data between standard input, standard output and these files.
 *
 * `run` receives real paths in place of `-`. An output on standard output has the given format, or that of the
 * input; a .gltf becomes a .glb, because it consists of several files.
 */
export async function withPipes<Result>(
  { input, output, writes = [], reads = [], maxMemory }: PipedFiles,
  context: CommandContext,
  format: string | undefined,
  run: (files: RealFiles) => Promise<Result>,
): Promise<Result> {
  if (reads.includes(PIPE)) {
    throw new InputError(
      "Standard input can only be the character that is changed; give the names of other files.",
    );
  }
  const outputs = [output, ...writes].filter((file) => file === PIPE);
  if (outputs.length > 1) {
    throw new InputError("Standard output takes one file; write the others to disk.");
  }
  if (outputs.length === 1) context.divert();
  const shown = output === PIPE ? "standard output" : output;
  if (input !== PIPE && output !== PIPE) return run({ input, output, shown });
  const folder = await mkdtemp(path.join(tmpdir(), "heterskin-"));
  try {
    const from = input === PIPE ? await storeInput(context, folder, maxMemory) : input;
    const to = output === PIPE ? path.join(folder, `out.${pipeFormat(from, format)}`) : output;
    const result = await run({ input: from, output: to, shown });
    if (output === PIPE) await sendOutput(folder, to, context);
    return result;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Writes text to standard output; the rest of the output goes to standard error. */
export function pipeText(context: CommandContext, text: string): void {
  context.outputBytes(new TextEncoder().encode(text));
}

async function storeInput(
  context: CommandContext,
  folder: string,
  maxMemory: number | undefined,
): Promise<string> {
  const bytes = await context.readInput(maxMemory);
  if (bytes.length === 0) throw new InputError("Standard input is empty.");
  const file = path.join(folder, `stdin${endingOfBytes(bytes)}`);
  await writeFile(file, bytes);
  return file;
}

/** Recognizes the format of a file by its first bytes; text that is no other format is an OBJ. */
export function endingOfBytes(bytes: Uint8Array): string {
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, 4096));
  if (head.startsWith("glTF")) return isVrmHead(bytes) ? ".vrm" : ".glb";
  if (head.startsWith("Kaydara FBX") || /^\s*;\s*FBX/.test(head)) return ".fbx";
  if (/^(?:\xef\xbb\xbf)?\s*\{/.test(head)) return ".gltf";
  if (/^(?:\xef\xbb\xbf)?\s*</.test(head)) return ".dae";
  return ".obj";
}

/** Whether the JSON of a GLB uses an extension of VRM. */
function isVrmHead(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = bytes.length >= 20 ? view.getUint32(12, true) : 0;
  const json = new TextDecoder().decode(bytes.subarray(20, 20 + length));
  return /"extensionsUsed"\s*:\s*\[[^\]]*"VRM(?:C_vrm)?"/.test(json);
}

function pipeFormat(input: string, format: string | undefined): string {
  if (format === "gltf" || format === "usda") {
    const single = format === "gltf" ? "glb" : "usdz";
    throw new InputError(
      `A .${format} consists of several files and cannot be piped; use ${single}.`,
    );
  }
  const own = KEPT.exec(input)?.[0].slice(1).toLowerCase();
  return format ?? (own === undefined || own === "gltf" ? "glb" : own);
}

async function sendOutput(folder: string, to: string, context: CommandContext): Promise<void> {
  const written = (await readdir(folder)).filter((name) => name.startsWith("out."));
  if (written.length > 1) {
    throw new InputError(
      `This character has several meshes, and a .${outputFormat(to)} holds one; write to a file.`,
    );
  }
  context.outputBytes(await readFile(to));
}
