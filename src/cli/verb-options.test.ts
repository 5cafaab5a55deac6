import { availableParallelism } from "node:os";
import { expect, test } from "vitest";
import { bind } from "./commands/bind.ts";
import { namesIn, parseArguments } from "./parse-arguments.ts";
import { bindSettings } from "./verb-options.ts";

test.each([
  [["--threads", "256"], availableParallelism()],
  [["--threads", "1"], 1],
  [[], undefined],
])("%j: the number of threads is limited to that of processors", (argv, threads) => {
  expect(bindSettings(parseArguments(bind, ["x.glb", ...argv])).threads).toBe(threads);
});

test.each([
  ["a,b", ["a", "b"]],
  [" a , b ,", ["a", "b"]],
  ["arm\\, left,leg", ["arm, left", "leg"]],
  ["\\,", [","]],
  ["", []],
])("splits the names in %s", (text, names) => {
  expect(namesIn(text)).toEqual(names);
});
