import { power } from "../math/power.ts";
import { createRandom, shuffled } from "../math/random.ts";

/** A variant of a character in a batch. */
export interface BatchItem {
  character: number;
  variant: number;
  /** Seed of its augmentation. */
  seed: string;
}

export interface GraphSize {
  vertices: number;
  joints: number;
  parts: number;
  characters: number;
}

export interface EpochOptions {
  seed: number;
  epoch: number;
  /** Maximum size of a batch; a larger character gets its own batch. */
  room: GraphSize;
  /** Probability of the first variant (the original); the others are equally likely. */
  original: number;
  /** Probability of using each character (default 1). */
  chances?: number[] | undefined;
}

type VariantSize = Omit<GraphSize, "characters">;

/**
 * Returns the batches of an epoch: each character once (or with its probability) in random order,
 * in one of its variants. Depends only on its arguments, so a resumed run gets the same batches.
 *
 * @param sizes per character, the size of each variant
 */
export function epochBatches(
  sizes: VariantSize[][],
  { seed, epoch, room, original, chances }: EpochOptions,
): BatchItem[][] {
  const random = createRandom(`${seed}/epoch/${epoch}`);
  const seen = shuffled(sizes.length, random).filter(
    (character) => !chances || random() < chances[character],
  );
  const picks = seen.map((character): BatchItem => {
    const variants = sizes[character].length;
    const first = variants === 1 || random() < original;
    const variant = first ? 0 : 1 + Math.floor(random() * (variants - 1));
    return { character, variant, seed: `${seed}/${epoch}/${character}` };
  });
  return fill(picks, (pick) => sizes[pick.character][pick.variant], room);
}

/**
 * Returns the probability of using each character if n characters with one skeleton count as n^(1 -
 * balance): 0 uses every character, 1 every skeleton once.
 */
export function balancedChances(skeletons: string[], balance: number): number[] {
  const counts = new Map<string, number>();
  for (const key of skeletons) counts.set(key, (counts.get(key) ?? 0) + 1);
  return skeletons.map((key) => power(counts.get(key)!, -balance));
}

/** Headroom over the mean joints, parts and characters of a batch. */
const SPARE = 1.5;

/**
 * Returns the size of a batch of about `batchVertices`, at least that of the largest character. One
 * size per run lets the device reuse its buffers.
 */
export function batchRoom(sizes: VariantSize[][], batchVertices: number): GraphSize {
  const all = sizes.flat();
  const total = (name: keyof VariantSize): number => all.reduce((sum, size) => sum + size[name], 0);
  const largest = (name: keyof VariantSize): number =>
    all.reduce((max, size) => Math.max(max, size[name]), 1);
  const vertices = Math.max(batchVertices, largest("vertices"));
  const scale = (SPARE * vertices) / Math.max(1, total("vertices"));
  const matching = (name: keyof VariantSize): number =>
    Math.max(largest(name), Math.ceil(scale * total(name)));
  return {
    vertices,
    joints: matching("joints"),
    parts: matching("parts"),
    characters: Math.max(1, Math.ceil(scale * all.length)),
  };
}

/** Fills batches in order; items that do not fit wait for the next batch. */
function fill(
  picks: BatchItem[],
  sizeOf: (pick: BatchItem) => VariantSize,
  room: GraphSize,
): BatchItem[][] {
  const batches: BatchItem[][] = [];
  let waiting = picks;
  while (waiting.length > 0) {
    const left = { ...room };
    const [batch, next]: [BatchItem[], BatchItem[]] = [[], []];
    let tries = 0;
    for (const [at, pick] of waiting.entries()) {
      if (tries >= LOOK_AHEAD) {
        next.push(...waiting.slice(at));
        break;
      }
      const size = Object.entries({ ...sizeOf(pick), characters: 1 }) as [
        keyof GraphSize,
        number,
      ][];
      if (batch.length > 0 && size.some(([name, count]) => count > left[name])) {
        next.push(pick);
        tries++;
        continue;
      }
      batch.push(pick);
      for (const [name, count] of size) left[name] -= count;
    }
    batches.push(batch);
    waiting = next;
  }
  return batches;
}

/** Number of skipped characters after which a batch is full. */
const LOOK_AHEAD = 12;
