import { mkdirSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { useFolder } from "../../test/helpers/run-cli.ts";
import { adaptExamples, cacheKey, keepModel, recallModel } from "./adapt-files.ts";
import { cacheFolder } from "./cache-folder.ts";

describe("the cache of adapted models", () => {
  const { at } = useFolder();
  beforeEach(() => void vi.stubEnv("XDG_CACHE_HOME", at("cache")));
  afterEach(() => void vi.unstubAllEnvs());

  /** Makes a cached model older by a number of minutes. */
  const age = (key: string, minutes: number) => {
    const then = new Date(Date.now() - minutes * 60_000);
    utimesSync(path.join(cacheFolder(), `${key}.onnx`), then, then);
  };

  test("returns what was stored, and nothing else", async () => {
    expect(await recallModel("a")).toBeUndefined();
    await keepModel("a", Uint8Array.of(1, 2, 3));
    expect(await recallModel("a")).toEqual(Buffer.of(1, 2, 3));
    expect(await recallModel("b")).toBeUndefined();
  });

  test("drops the least recently used when it is full", async () => {
    const bytes = new Uint8Array(100);
    for (const key of ["a", "b", "c"]) await keepModel(key, bytes, 300);
    age("a", 30);
    age("b", 20);
    age("c", 10);
    await recallModel("a");
    await keepModel("d", bytes, 300);
    expect(readdirSync(cacheFolder()).sort()).toEqual(["a.onnx", "c.onnx", "d.onnx"]);
  });

  test("is skipped if it cannot be written", async () => {
    writeFileSync(at("cache"), "a file in the way");
    await keepModel("a", Uint8Array.of(1));
    expect(await recallModel("a")).toBeUndefined();
  });

  test("drops the oldest even while another program deletes one", async () => {
    const bytes = new Uint8Array(100);
    for (const key of ["a", "b"]) await keepModel(key, bytes);
    age("a", 20);
    // A listed name that leads nowhere, like one deleted between listing and reading.
    symlinkSync(at("nowhere"), path.join(cacheFolder(), "gone.onnx"));
    await keepModel("c", bytes, 200);
    expect(await recallModel("a")).toBeUndefined();
  });

  test("ignores a damaged model", async () => {
    const [base, examples] = [Uint8Array.of(1), [{ fingerprint: "x", read: () => learnAgain() }]];
    const learnAgain = () => Promise.reject(new Error("learns again"));
    await keepModel(cacheKey(examples, base), new Uint8Array());
    await expect(adaptExamples(examples, base)).rejects.toThrow("learns again");
  });

  test("deletes no other files of its folder", async () => {
    mkdirSync(cacheFolder(), { recursive: true });
    writeFileSync(path.join(cacheFolder(), "note.txt"), "mine");
    await keepModel("a", new Uint8Array(10), 5);
    expect(readdirSync(cacheFolder())).toEqual(["note.txt"]);
  });
});
