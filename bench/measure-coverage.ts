import { prepareCharacter } from "../src/character/prepare-character.ts";
import { readCharacterFile } from "../src/disk/character-files.ts";
import { MEASURED_BONES } from "../src/distance/bone-distances.ts";
import {
  DISTANCE_NAMES,
  type DistanceName,
  distancesIn,
  type MeasureOptions,
  voxelizeCharacter,
} from "../src/distance/measure.ts";
import { linePlot, svgFile } from "../src/evaluate/report/plots.ts";
import { type ListOptions, listCharacters } from "../src/files/evaluate-folder.ts";
import { InputError } from "../src/input-error.ts";
import { type Coverage, coverageOf, meanCoverage } from "./coverage-of.ts";

/** Coverage of one character by each distance, for each K up to `MEASURED_BONES`. */
export type CoverageRow = { id: string } & Record<DistanceName, Coverage>;

/** Options for {@link measureCoverage}. */
export interface CoverageOptions
  extends ListOptions,
    Pick<MeasureOptions, "resolution" | "variant" | "signal"> {
  onProgress?: ((stage: string, fraction: number) => void) | undefined;
  /** Receives the characters that were skipped, with the reason. */
  onLeftOut?: ((id: string, why: string) => void) | undefined;
}

/** Measures how much of the artists' weights is on the K nearest bones of each vertex, by character. */
export async function measureCoverage(
  inputs: string[],
  options: CoverageOptions = {},
): Promise<CoverageRow[]> {
  const characters = await listCharacters(inputs, options);
  const rows: CoverageRow[] = [];
  for (const [i, { id, file }] of characters.entries()) {
    options.signal?.throwIfAborted();
    options.onProgress?.(`${i} of ${characters.length} characters`, i / characters.length);
    try {
      rows.push(await measureFile(id, file, options));
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      options.onLeftOut?.(id, error.message);
    }
  }
  if (rows.length > 0) return rows;
  throw new InputError("No character with painted weights was found; the lines above state why.");
}

async function measureFile(
  id: string,
  file: string,
  { resolution, variant }: CoverageOptions,
): Promise<CoverageRow> {
  const { character } = prepareCharacter((await readCharacterFile(file)).character);
  const artist = character.weights;
  if (!artist) throw new InputError("The file has no painted weights to compare with.");
  const options = { k: MEASURED_BONES, resolution, variant };
  const cells = voxelizeCharacter(character, options);
  const measure = (distance: DistanceName) =>
    coverageOf(artist, distancesIn(character.mesh, cells, { ...options, distance }));
  return {
    id,
    hollow: measure("hollow"),
    volumetric: measure("volumetric"),
    euclid: measure("euclid"),
  };
}

/** A line per character, distance and K. */
export function coverageCsv(rows: readonly CoverageRow[]): string {
  const lines = ["character,distance,k,weight,influences"];
  for (const row of rows) {
    for (const name of DISTANCE_NAMES) {
      const { weight, influences } = row[name];
      weight.forEach((share, i) => {
        lines.push(`${row.id},${name},${i + 1},${share.toFixed(5)},${influences[i].toFixed(5)}`);
      });
    }
  }
  return `${lines.join("\n")}\n`;
}

const TITLES: Record<DistanceName, string> = {
  hollow: "HollowDist",
  volumetric: "inside the body",
  euclid: "straight line",
};

/** The figure of the paper, as SVG. */
export function drawCoverage(rows: readonly CoverageRow[]): string {
  const xs = Array.from({ length: MEASURED_BONES }, (_, i) => i + 1);
  const series = DISTANCE_NAMES.map((name) => ({
    label: TITLES[name],
    values: meanCoverage(rows.map((row) => row[name])).weight,
  }));
  const title = `Fraction of the artists' weight on the K nearest bones (${rows.length} characters)`;
  return svgFile([linePlot(title, "K", xs, series)]);
}
