import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listCharacters, readTable } from "./evaluate-folder.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), "list-"));
  mkdirSync(path.join(folder, "characters"));
  for (const name of ["characters/b.glb", "characters/a.glb", "characters/notes.txt"]) {
    writeFileSync(path.join(folder, name), "");
  }
  writeFileSync(
    path.join(folder, "characters.tsv"),
    "id\tsplit\nb\ttest\na\ttest\nc\ttest\nd\tval\n",
  );
});
afterAll(() => rmSync(folder, { recursive: true }));

describe("listCharacters", () => {
  test("takes the characters of a folder, sorted", async () => {
    const ids = (await listCharacters([folder])).map(({ id }) => id);
    expect(ids).toEqual(["a", "b"]);
  });

  test("takes a split in the table's order and keeps missing files as rows", async () => {
    const listed = await listCharacters([folder], { split: "test" });
    expect(listed).toEqual([
      { id: "b", file: path.join(folder, "characters/b.glb") },
      { id: "a", file: path.join(folder, "characters/a.glb") },
      { id: "c", file: path.join(folder, "c.glb") },
    ]);
  });

  test("reports invalid requests", async () => {
    await expect(listCharacters([])).rejects.toThrow("Nothing to evaluate");
    await expect(listCharacters([path.join(folder, "x")])).rejects.toThrow(
      "no such file or folder",
    );
    await expect(listCharacters([folder], { split: "tset" })).rejects.toThrow(
      'no row has the split "tset"; choose one of test, val.',
    );
    expect(() => readTable("name,split\na,b", "t.csv")).toThrow("t.csv: the first line must name");
  });

  test("reads comma-separated tables and Windows line ends", () => {
    expect(readTable("split,id\r\ntest,a\r\nval,b\r\n", "t.csv", "val")).toEqual(["b"]);
  });

  test("distinguishes files of the same name", async () => {
    const file = path.join(folder, "characters/a.glb");
    const ids = (await listCharacters([file, path.join(folder, "characters")])).map(({ id }) => id);
    expect(new Set(ids).size).toBe(2);
  });
});
