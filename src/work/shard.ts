import { createHash } from "node:crypto";
import { InputError } from "../input-error.ts";

/** One part of a batch that several machines share. */
export interface Shard {
  /** From 1. */
  index: number;
  count: number;
}

/** Reads `2/8`; `InputError` for anything else. */
export function parseShard(text: string): Shard {
  const [, index, count] = /^(\d{1,6})\/(\d{1,6})$/.exec(text.trim()) ?? [];
  const shard = { index: Number(index), count: Number(count) };
  if (!(shard.index >= 1 && shard.index <= shard.count)) {
    throw new InputError(
      `"${text}" is no shard; give its number and how many there are: 2/8 is the second of eight.`,
    );
  }
  return shard;
}

/** Whose a file is, by its name alone: all machines agree without talking, whatever else is in the folder. */
export function isInShard(file: string, { index, count }: Shard): boolean {
  return createHash("sha256").update(file).digest().readUInt32BE(0) % count === index - 1;
}

/** What a shard's journal, lock and summary have in their names; nothing where there are no shards. */
export function shardMark(shard: Shard | undefined): string {
  return shard ? `.${shard.index}-of-${shard.count}` : "";
}
