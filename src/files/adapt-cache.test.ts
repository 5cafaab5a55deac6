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

  /** Makes a kept model old by so many minutes. */
  const age = (key: string, minutes: number) => {
    const then = new Date(Date.now() - minutes * 60_000);
    utimesSync(path.join(cacheFolder(), `${key}.onnx`), then, then);
  };

  test("gives back what was kept, and nothing else", async () => {
    expect(await recallModel("a")).toBeUndefined();
    await keepModel("a", Uint8Array.of(1, 2, 3));
    expect(await recallModel("a")).toEqual(Buffer.of(1, 2, 3));
    expect(await recallModel("b")).toBeUndefined();
  });

  test("lets go of those used least lately when it is full", async () => {
    const bytes = new Uint8Array(100);
    for (const key of ["a", "b", "c"]) await keepModel(key, bytes, 300);
    age("a", 30);
    age("b", 20);
    age("c", 10);
    await recallModel("a");
    await keepModel("d", bytes, 300);
    expect(readdirSync(cacheFolder()).sort()).toEqual(["a.onnx", "c.onnx", "d.onnx"]);
  });

  test("is done without where it cannot be written", async () => {
    writeFileSync(at("cache"), "a file in the way");
    await keepModel("a", Uint8Array.of(1));
    expect(await recallModel("a")).toBeUndefined();
  });

  test("lets go of the oldest even while another program takes one away", async () => {
    const bytes = new Uint8Array(100);
    for (const key of ["a", "b"]) await keepModel(key, bytes);
    age("a", 20);
    // A name that is listed and leads nowhere, as one that is gone by the time it is looked at.
    symlinkSync(at("nowhere"), path.join(cacheFolder(), "gone.onnx"));
    await keepModel("c", bytes, 200);
    expect(await recallModel("a")).toBeUndefined();
  });

  test("with a damaged model in it is as one without", async () => {
    const [base, examples] = [Uint8Array.of(1), [{ fingerprint: "x", read: () => learnAgain() }]];
    const learnAgain = () => Promise.reject(new Error("learns again"));
    await keepModel(cacheKey(examples, base), new Uint8Array());
    await expect(adaptExamples(examples, base)).rejects.toThrow("learns again");
  });

  test("touches no other files of its folder", async () => {
    mkdirSync(cacheFolder(), { recursive: true });
    writeFileSync(path.join(cacheFolder(), "note.txt"), "mine");
    await keepModel("a", new Uint8Array(10), 5);
    expect(readdirSync(cacheFolder())).toEqual(["note.txt"]);
  });
});
