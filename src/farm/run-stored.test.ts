import { mkdirSync, readdirSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { eventually } from "../../test/helpers/eventually.ts";
import { useFolder } from "../../test/helpers/run-cli.ts";
import { failedAnswer } from "../batch/row.ts";
import { InputError } from "../input-error.ts";
import type { FarmJob } from "./queue.ts";
import { createFolderStore, type FarmStore, readManifest, runStored } from "./store.ts";

const folder = useFolder();
const job: FarmJob = {
  file: { file: "a.gltf", output: "a.glb", inputPath: "a.gltf", outputPath: "a.glb", bytes: 1 },
  beside: ["a.bin"],
  settings: { bind: {}, reports: false, pictures: false },
  timeout: 1,
};

describe("runStored", () => {
  beforeEach(() => {
    mkdirSync(folder.at("tmp"));
    vi.stubEnv("TMPDIR", folder.at("tmp"));
  });
  afterEach(() => void vi.unstubAllEnvs());

  test("leaves nothing behind if a store fails while it loads another file", async () => {
    let arrived = false;
    const store: FarmStore = {
      async read(key) {
        if (key === "a.gltf") throw new Error("the store is away");
        await pause(50);
        arrived = true;
        return new Uint8Array(8);
      },
      write: async () => undefined,
      exists: async () => true,
    };
    const answer = await runStored(store, job, async ({ file }) => failedAnswer(file, "not asked"));
    expect(answer.row?.error).toBe("the store is away");
    await eventually(() => expect(arrived).toBe(true));
    await pause(20);
    expect(readdirSync(folder.at("tmp"))).toEqual([]);
  });
});

describe("a store that fails", () => {
  test("is not the input's fault, so another attempt may succeed", async () => {
    const store = createFolderStore(folder.at("."));
    await expect(store.read("none.glb")).rejects.toThrow(InputError);
    mkdirSync(folder.at("folder.glb"));
    await expect(store.read("folder.glb")).rejects.not.toThrow(InputError);
  });

  test("does not invalidate the list of a farm", async () => {
    const store: FarmStore = {
      read: async () => Promise.reject(new Error("the store is away")),
      write: async () => undefined,
      exists: async () => true,
    };
    const reading = readManifest({ store, prefix: "", name: "out" });
    await expect(reading).rejects.toThrow("the store is away");
  });
});
