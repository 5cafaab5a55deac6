import { afterAll, beforeAll, expect, test } from "vitest";
import { makeSample } from "../samples/index.ts";
import { createHollowScene } from "../src/distance/hollow.ts";
import { voxelizeCharacter } from "../src/distance/measure.ts";
import { searchAllBones } from "../src/distance/search-scene.ts";
import { type SourcePage, startSourcePage } from "./helpers/source-page.ts";

/** Measures with two web workers; stores the result and the number of workers. */
const SCRIPT = `
  import { makeSample } from "/samples/index.ts";
  import { createHollowScene } from "/src/distance/hollow.ts";
  import { voxelizeCharacter } from "/src/distance/measure.ts";
  import { searchInPool } from "/src/distance/search-pool.ts";
  import { spawnWebWorker } from "/src/distance/spawn-web-worker.ts";
  const { mesh, skeleton } = makeSample("fish");
  const { grid, bones } = voxelizeCharacter({ mesh, skeleton }, { resolution: 40 });
  const scene = createHollowScene(mesh, bones, grid, { k: 4 });
  let workers = 0;
  const spawn = () => (workers++, spawnWebWorker());
  searchInPool(scene, 2, spawn).then(
    ({ bones, distances }) => {
      window.result = {
        workers,
        shared: typeof SharedArrayBuffer !== "undefined",
        bones: [...bones],
        distances: [...distances],
      };
    },
    (error) => {
      window.result = { error: String(error) };
    },
  );`;

let pages: SourcePage;

beforeAll(async () => {
  pages = await startSourcePage(SCRIPT);
});

afterAll(() => pages?.close());

test.each([
  ["with shared memory", true],
  ["without shared memory", false],
])("two web workers match one thread bit by bit, %s", async (_, isolated) => {
  const page = await pages.open(isolated ? "/isolated" : "/open");
  await page.waitForFunction("window.result");
  const result = (await page.evaluate("window.result")) as Record<string, unknown>;
  await page.close();
  const { mesh, skeleton } = makeSample("fish");
  const { grid, bones } = voxelizeCharacter({ mesh, skeleton }, { resolution: 40 });
  const alone = searchAllBones(createHollowScene(mesh, bones, grid, { k: 4 }));
  expect(result).toEqual({
    workers: 2,
    shared: isolated,
    bones: [...alone.bones],
    distances: [...alone.distances],
  });
});
