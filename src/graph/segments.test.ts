import { expect, test } from "vitest";
import { createRandom } from "../math/random.ts";
import { joinSegments, longestGroup } from "./collate.ts";
import { buildSegments, CHUNK, type Segments } from "./segments.ts";

/** The rows of each group, read off the lists. */
function rowsOf(segments: Segments): number[][] {
  const R = longestGroup(segments);
  return Array.from({ length: segments.groups }, (_, group) => {
    const rows: number[] = [];
    for (let slot = group * R; slot < (group + 1) * R; slot++) {
      if (segments.groupValid[slot] === 0) continue;
      const chunk = segments.groupChunks[slot];
      expect(segments.chunkGroup[chunk]).toBe(group);
      for (let at = chunk * CHUNK; at < (chunk + 1) * CHUNK; at++) {
        if (segments.chunkValid[at] === 0) continue;
        expect(segments.rowChunk[segments.chunkRows[at]]).toBe(chunk);
        rows.push(segments.chunkRows[at]);
      }
    }
    return rows;
  });
}

function randomGroups(seed: number, count: number, groups: number): Int32Array {
  const random = createRandom(seed);
  // The last group stays empty, and the first has many chunks.
  return Int32Array.from({ length: count }, () =>
    random() < 0.5 ? 0 : Math.floor(random() * groups) - 1,
  );
}

function expectedRows(group: Int32Array, groups: number): number[][] {
  return Array.from({ length: groups }, (_, g) => [...group.keys()].filter((i) => group[i] === g));
}

test.each([1, 2, 3])("each row occurs once, in its group, in order (seed %i)", (seed) => {
  const group = randomGroups(seed, 400, 9);
  const segments = buildSegments(group, 9);
  const expected = expectedRows(group, 9);
  expect(rowsOf(segments)).toEqual(expected);
  expect([...segments.rowValid]).toEqual([...group].map((g) => (g < 0 ? 0 : 1)));
  expected.forEach((rows, g) => {
    expect(segments.inverseCount[g]).toBeCloseTo(rows.length > 0 ? 1 / rows.length : 0, 6);
  });
  expect(expected.at(-1)).toEqual([]);
});

test("no rows, or empty groups, still produce lists of nonzero size", () => {
  for (const group of [new Int32Array(0), Int32Array.of(-1, -1)]) {
    const segments = buildSegments(group, 2);
    expect(segments.chunkGroup.length).toBe(1);
    expect(rowsOf(segments)).toEqual([[], []]);
  }
});

test("joined partitions contain the rows of each, with offsets", () => {
  const parts = [
    { group: randomGroups(4, 90, 4), groups: 4 },
    { group: randomGroups(5, 300, 6), groups: 6 },
    { group: Int32Array.of(0), groups: 1 },
  ];
  const joined = joinSegments(parts.map(({ group, groups }) => buildSegments(group, groups)));
  const expected: number[][] = [];
  let start = 0;
  for (const { group, groups } of parts) {
    for (const rows of expectedRows(group, groups)) expected.push(rows.map((row) => row + start));
    start += group.length;
  }
  expect(rowsOf(joined)).toEqual(expected);
});
