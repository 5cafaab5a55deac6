import { defineConfig } from "vitest/config";

/** Checks that take minutes have a command of their own, `npm run test:long`. */
const LONG = "**/*.long.test.ts";

export default defineConfig({
  test: {
    include: process.env.HETERSKIN_LONG
      ? [LONG]
      : ["src/**/*.test.ts", "test/**/*.test.ts", "samples/**/*.test.ts"],
    exclude: process.env.HETERSKIN_LONG ? ["node_modules"] : ["node_modules", LONG],
    setupFiles: ["test/matchers.ts"],
    env: { ORT_DISABLE_TELEMETRY: "1" },
    testTimeout: 180_000,
    hookTimeout: 180_000,
    pool: "forks",
    maxWorkers: 2,
  },
});
