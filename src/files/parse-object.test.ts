import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { parseObject, readObject } from "./parse-object.ts";

test("accepts only objects", () => {
  expect(parseObject('{ "a": [1] }')).toEqual({ a: [1] });
  for (const text of ["", "{", "null", "1", '"a"', "[{}]"])
    expect(parseObject(text)).toBe(undefined);
});

test("a damaged or missing file yields none", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "heterskin-"));
  try {
    const file = path.join(folder, "a.json");
    expect(readObject(file)).toBe(undefined);
    writeFileSync(file, '{ "a": 1');
    expect(readObject(file)).toBe(undefined);
    writeFileSync(file, '{ "a": 1 }');
    expect(readObject(file)).toEqual({ a: 1 });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
