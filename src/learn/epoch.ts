import { createRandom, shuffled } from "../math/random.ts";

/** A variant of a character, in one batch of one epoch. */
export interface BatchItem {
  character: number;
  variant: number;
  /** Seed of its random changes. */
  seed: string;
}

/** The size of a graph. */
export interface GraphSize {
  vertices: number;
  joints: number;
  parts: number;
  characters: number;
}

export interface EpochOptions {
  seed: number;
  epoch: number;
  /** Maximum size of a batch; a larger character is a batch alone. */
  room: GraphSize;
  /** Probability of the first variant (the original); the others share the rest. */
  original: number;
  /** Probability of each character; default 1. */
  chances?: number[] | undefined;
}

type VariantSize = Omit<GraphSize, "characters">;

/**
 * Returns the batches of an epoch: every character once (or with its probability), in random order, each in one
 * of its variants, in batches that fit into `room`.
 *
 * Depends only on its arguments, so an interrupted run continues with the same batches.
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
 * Returns the probability of each character in an epoch, so that common skeletons do not outweigh the others: n
 * characters of one skeleton count as n^(1 - balance). 0 uses every character, 1 every skeleton once.
 */
export function balancedChances(skeletons: string[], balance: number): number[] {
  const counts = new Map<string, number>();
  for (const key of skeletons) counts.set(key, (counts.get(key) ?? 0) + 1);
  return skeletons.map((key) => counts.get(key)! ** -balance);
}

/** Capacity of joints, parts and characters relative to a batch of mean size. */
const SPARE = 1.5;

/**
 * Returns the capacity for about so many vertices per batch, with matching joints, parts and characters, at least
 * for the largest character.
 *
 * One capacity for a run, so that a device can reuse the buffers of each step.
 */
export function batchRoom(sizes: VariantSize[][], batchVertices: number): GraphSize {
  const all = sizes.flat();
  const total = (name: keyof VariantSize): number => all.reduce((sum, size) => sum + size[name], 0);
  const largest = (name: keyof VariantSize): number =>
    all.reduce((max, size) => Math.max(max, size[name]), 1);
  const vertices = Math.max(batchVertices, largest("vertices"));
  const factor = (SPARE * vertices) / Math.max(1, total("vertices"));
  const matching = (name: keyof VariantSize): number =>
    Math.max(largest(name), Math.ceil(factor * total(name)));
  return {
    vertices,
    joints: matching("joints"),
    parts: matching("parts"),
    characters: Math.max(1, Math.ceil(factor * all.length)),
  };
}

/** Fills batches in order; an item that does not fit waits for the next batch. */
function fill(picks: BatchItem[], sizeOf: (pick: BatchItem) => VariantSize, room: GraphSize) {
  const batches: BatchItem[][] = [];
  let waiting = picks;
  while (waiting.length > 0) {
    const left = { ...room };
    const batch: BatchItem[] = [];
    const next: BatchItem[] = [];
    let tries = 0;
    for (const [at, pick] of waiting.entries()) {
      if (tries >= LOOK_AHEAD) {
        next.push(...waiting.slice(at));
        break;
      }
      const { vertices, joints, parts } = sizeOf(pick);
      const fits =
        vertices <= left.vertices &&
        joints <= left.joints &&
        parts <= left.parts &&
        left.characters > 0;
      if (!fits && batch.length > 0) {
        next.push(pick);
        tries++;
        continue;
      }
      batch.push(pick);
      left.vertices -= vertices;
      left.joints -= joints;
      left.parts -= parts;
      left.characters--;
    }
    batches.push(batch);
    waiting = next;
  }
  return batches;
}

/** Items skipped before a batch counts as full. */
const LOOK_AHEAD = 12;
