import { createRandom, type Random } from "../math/random.ts";

/** A variant of a character, in one batch of one epoch. */
export interface BatchItem {
  /** Which character. */
  character: number;
  /** Which of its variants. */
  variant: number;
  /** Seeds the random changes to it. */
  seed: string;
}

/**
 * The batches of an epoch: every character once, in random order, each in one of its variants, cut into
 * batches of about `batchVertices` vertices.
 *
 * Depends on nothing but its arguments, so a run that was cut off goes on with the same batches.
 *
 * @param vertices per character, the vertices of each variant
 * @param original how likely the first variant (the character as drawn) is picked; the others share the rest
 */
export function epochBatches(
  vertices: number[][],
  { seed, epoch, batchVertices, original }: EpochOptions,
): BatchItem[][] {
  const random = createRandom(`${seed}/epoch/${epoch}`);
  const picks = shuffled(vertices.length, random).map((character): BatchItem => {
    const variants = vertices[character].length;
    const first = variants === 1 || random() < original;
    const variant = first ? 0 : 1 + Math.floor(random() * (variants - 1));
    return { character, variant, seed: `${seed}/${epoch}/${character}` };
  });
  return cut(picks, (pick) => vertices[pick.character][pick.variant], batchVertices);
}

export interface EpochOptions {
  seed: number;
  epoch: number;
  batchVertices: number;
  original: number;
}

function shuffled(count: number, random: Random): number[] {
  const order = Array.from({ length: count }, (_, i) => i);
  for (let i = count - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}

/**
 * Cuts a list into as many batches of even size as come closest to the size asked for; a small rest
 * would count as much in a step as a full batch.
 */
function cut<T>(items: T[], sizeOf: (item: T) => number, size: number): T[][] {
  const total = items.reduce((sum, item) => sum + sizeOf(item), 0);
  const even = total / Math.max(1, Math.round(total / size));
  const batches: T[][] = [];
  let batch: T[] = [];
  let filled = 0;
  for (const item of items) {
    const before = filled;
    filled += sizeOf(item);
    const end = (batches.length + 1) * even;
    // The item at the border goes to the side on which the larger part of it lies.
    if (batch.length > 0 && filled - end > end - before) {
      batches.push(batch);
      batch = [];
    }
    batch.push(item);
  }
  if (batch.length > 0) batches.push(batch);
  return batches;
}
