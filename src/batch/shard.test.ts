import { expect, test } from "vitest";
import { InputError } from "../input-error.ts";
import { isInShard, parseShard } from "./list.ts";

test("every file is in exactly one shard, and shards have similar sizes", () => {
  const files = Array.from({ length: 900 }, (_, i) => `folder/character-${i}.glb`);
  for (const count of [1, 2, 7]) {
    const shards = Array.from({ length: count }, (_, i) => ({ index: i + 1, count }));
    const owners = files.map((file) => shards.filter((shard) => isInShard(file, shard)).length);
    expect(new Set(owners)).toEqual(new Set([1]));
    for (const shard of shards) {
      const mine = files.filter((file) => isInShard(file, shard)).length;
      expect(mine).toBeGreaterThan((0.7 * files.length) / count);
    }
  }
});

test.each(["0/4", "5/4", "1", "a/b", "1/0", "1/2/3", "-1/2"])("%s is not a shard", (text) => {
  expect(() => parseShard(text)).toThrow(InputError);
});
