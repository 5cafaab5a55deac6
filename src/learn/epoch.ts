import { createRandom, shuffled } from "../math/random.ts";

/** A variant of a character, in one batch of one epoch. */
export interface BatchItem {
  /** Which character. */
  character: number;
  /** Which of its variants. */
  variant: number;
  /** Seeds the random changes to it. */
  seed: string;
}

/** What a graph takes up. */
export interface GraphSize {
  vertices: number;
  joints: number;
  parts: number;
  characters: number;
}

export interface EpochOptions {
  seed: number;
  epoch: number;
  /** What a batch may take up at most; a character that is larger is a batch of its own. */
  room: GraphSize;
  /** How likely the first variant (the character as drawn) is picked; the others share the rest. */
  original: number;
  /** How likely each character is seen at all; all are unless told. */
  chances?: number[] | undefined;
}

type VariantSize = Omit<GraphSize, "characters">;

/**
 * The batches of an epoch: every character once (or as likely as told), in random order, each in one of its variants, put into
 * batches that fit into `room`.
 *
 * Depends on nothing but its arguments, so a run that was cut off goes on with the same batches.
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
 * How likely a character is seen in an epoch if skeletons that many characters share shall not outweigh the
 * others: n characters of one skeleton count as n^(1 - balance). 0 sees every character, 1 every skeleton once.
 */
export function balancedChances(skeletons: string[], balance: number): number[] {
  const counts = new Map<string, number>();
  for (const key of skeletons) counts.set(key, (counts.get(key) ?? 0) + 1);
  return skeletons.map((key) => counts.get(key)! ** -balance);
}

/** Joints, parts and characters a batch of mean size would have, and this much more, fit into a batch. */
const SPARE = 1.5;

/**
 * Room for about so many vertices a batch, with joints, parts and characters to match, at least for the
 * largest of the characters.
 *
 * One room for a whole run: a device that keeps the buffers of a step needs no others for the next.
 */
export function batchRoom(sizes: VariantSize[][], batchVertices: number): GraphSize {
  const all = sizes.flat();
  const total = (name: keyof VariantSize): number => all.reduce((sum, size) => sum + size[name], 0);
  const largest = (name: keyof VariantSize): number =>
    all.reduce((most, size) => Math.max(most, size[name]), 1);
  const vertices = Math.max(batchVertices, largest("vertices"));
  const share = (SPARE * vertices) / Math.max(1, total("vertices"));
  const matching = (name: keyof VariantSize): number =>
    Math.max(largest(name), Math.ceil(share * total(name)));
  return {
    vertices,
    joints: matching("joints"),
    parts: matching("parts"),
    characters: Math.max(1, Math.ceil(share * all.length)),
  };
}

/** Puts items into batches one after the other; one that does not fit any more waits for the next batch. */
function fill(
  picks: BatchItem[],
  sizeOf: (pick: BatchItem) => VariantSize,
  room: GraphSize,
): BatchItem[][] {
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

/** Characters passed over before a batch is taken to be full. */
const LOOK_AHEAD = 12;
