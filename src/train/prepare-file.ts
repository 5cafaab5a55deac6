import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import { InputError } from "../input-error.ts";
import { vertexNeighbours } from "../mesh/adjacency.ts";
import { connectedComponents } from "../mesh/components.ts";
import type { Mesh } from "../mesh/mesh.ts";
import type { Skeleton } from "../skeleton/skeleton.ts";
import { type CharacterSource, readSource } from "./character-source.ts";
import { prepareSamples } from "./prepare-samples.ts";
import { writeSampleFile } from "./sample-file.ts";
import type { SampleSettings } from "./sample-settings.ts";

/** One character to be turned into a file of samples. */
export interface PrepareJob {
  source: CharacterSource;
  /** A training character whose loose parts may be put on variants. */
  donor?: CharacterSource | undefined;
  out: string;
  key: string;
  settings: SampleSettings;
}

/** What became of it. */
export interface PrepareAnswer {
  /** Why no file was written; absent where it was. */
  rejected?: string;
}

function partCount({ positions, triangles }: Mesh): number {
  return connectedComponents(vertexNeighbours(triangles, positions.length / 3)).count;
}

/** A short name for a skeleton, by the names of its joints in whatever order. */
function skeletonKey({ names }: Skeleton): string {
  return createHash("sha256")
    .update(JSON.stringify([...names].sort()))
    .digest("hex")
    .slice(0, 12);
}

/** What makes one file of samples after another; a character that is unfit is an answer, not an error. */
export function createPreparer(): (job: PrepareJob) => Promise<PrepareAnswer> {
  return prepareFile;
}

async function prepareFile({
  source,
  donor,
  out,
  key,
  settings,
}: PrepareJob): Promise<PrepareAnswer> {
  try {
    const training = source.split === "train";
    const made = await prepareSamples(
      await readSource(source),
      settings,
      training,
      donor && (await readSource(donor)),
    );
    const variants = made.samples.map(({ input }, i) => ({
      vertices: input.mesh.positions.length / 3,
      joints: input.skeleton.names.length,
      parts: partCount(input.mesh),
      how: made.how[i],
    }));
    const skeleton = skeletonKey(made.character.skeleton);
    const info = { key, name: source.name, split: source.split, skeleton, variants };
    writeSampleFile(out, info, made.samples, training ? undefined : made.character);
    return {};
  } catch (error) {
    const { message, stack } = error as Error;
    // Samples of other settings must not stay behind as if they belonged to these.
    rmSync(out, { force: true });
    // One character's failure is a row in the table, not the end of a long run, ours too.
    const ours = `internal error: ${(stack ?? message).replace(/\s+/g, " ")}`;
    return { rejected: error instanceof InputError ? message : ours };
  }
}
