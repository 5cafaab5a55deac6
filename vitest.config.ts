import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const isLong = Boolean(process.env.HETERSKIN_LONG);

/** Checks that take minutes, run by `npm run test:long`. */
const LONG = "**/*.long.test.ts";

/** Tests of the page, which share one browser. */
const PAGE = isLong ? "test/page/**/*.long.test.ts" : "test/page/**/*.test.ts";

/**
 * Rooms without state beyond their functions: their tests share worker processes, so that modules are loaded
 * once. Tests with mocks, environment variables or processes run isolated.
 */
const PURE =
  "src/{math,mesh,skeleton,weights,character,finish,voxel,fit,distance,graph,examples,repair,review,picture,formats,evaluate}/**/*.test.ts";

/** The slowest files first, so that no long file is left for the end. */
const SLOW = [
  "page/page",
  "front-ends",
  "private",
  "batch",
  "api",
  "bad-input/files",
  "strangers/signals",
  "fuzz",
  "page/offline",
  "page/files",
  "originals",
  "end-to-end",
  "docs.long",
  "network-routes.long",
  "page/skeleton.long",
  "page/tool.long",
  "page/view.long",
  "page/front-ends.long",
  "page/weights.long",
  "strangers/farm.long",
  "page/look.long",
  "train.long",
  "browser-runtime.long",
  "page/service.long",
  "formats/fbx-out.long",
];

class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = SLOW.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
      return at < 0 ? SLOW.length : at;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}

const all = isLong ? [LONG] : ["src/**/*.test.ts", "test/**/*.test.ts", "samples/**/*.test.ts"];
const never = ["node_modules", "dist", ...(isLong ? [] : [LONG])];

export default defineConfig({
  test: {
    setupFiles: ["test/helpers/matchers.ts"],
    env: { ORT_DISABLE_TELEMETRY: "1" },
    // A busy machine is not a failure.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    pool: "forks",
    maxWorkers: 2,
    sequence: { sequencer: SlowestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: "page",
          include: [PAGE],
          exclude: never,
          globalSetup: ["test/helpers/shared-browser.ts"],
        },
      },
      {
        extends: true,
        test: { name: "rooms", include: isLong ? [] : [PURE], exclude: never, isolate: false },
      },
      {
        extends: true,
        test: {
          name: "other",
          include: all,
          exclude: [...never, PAGE, ...(isLong ? [] : [PURE])],
        },
      },
    ],
  },
});
