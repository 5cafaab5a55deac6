import { describe, expect, test } from "vitest";
import { bind } from "./cli/commands/bind.ts";
import { parseArguments } from "./cli/parse-arguments.ts";
import { bindSettings } from "./cli/verb-options.ts";
import { commandLine } from "./command-line.ts";
import { checkOptions, OPTIONS, optionProblem, optionsOf } from "./options.ts";

describe("the option table", () => {
  test.each(Object.entries(OPTIONS))("%s accepts its own default and bounds", (_, spec) => {
    for (const value of [spec.default, spec.min, spec.max, ...(spec.choices ?? [])]) {
      if (value !== undefined) expect(optionProblem(spec, value)).toBeUndefined();
    }
  });

  test.each([
    [{ maxInfluences: 9 }, "maxInfluences must be an integer from 1 to 8, got 9."],
    [{ smooth: 1.5 }, "smooth must be an integer from 0 to 1000, got 1.5."],
    [{ adapt: 1 }, "adapt must be a number from 0 to 0.99, got 1."],
    [{ lock: "hips" }, 'lock must be a list of joint names, got "hips".'],
    [{ symmetry: 1 }, "symmetry must be true or false, got 1."],
    [{ prune: Number.NaN }, "prune must be a number from 0 to 1, got NaN."],
    [{ distance: 1 }, 'There is no option "distance".'],
  ])("refuses %j", (options, message) => {
    expect(() => checkOptions("bind", "library", options)).toThrow(message);
  });

  test("accepts a method by its former name", () => {
    expect(() => checkOptions("bind", "library", { method: "heterskinnet" })).not.toThrow();
  });

  test.each(["bind", "refine", "transfer", "fix"] as const)(
    "the service offers every option of %s on the command line, except those of the machine",
    (verb) => {
      // The operator of a service limits its memory and processors. Levels of detail are one transfer each, and
      // a job that names no finding fixes all.
      const others = ["threads", "provider", "maxMemory", "cache", "all"];
      const named = (frontEnd: "cli" | "api") => optionsOf(verb, frontEnd).map(([name]) => name);
      expect(named("api")).toEqual(named("cli").filter((name) => !others.includes(name)));
    },
  );

  test("every option has a sentence and belongs to a verb and a front end", () => {
    for (const { help, verbs, frontEnds } of Object.values(OPTIONS)) {
      expect(help).toMatch(/^[A-Z].*\.$/);
      expect(verbs.length * frontEnds.length).toBeGreaterThan(0);
    }
    expect(optionsOf("refine", "api").map(([name]) => name)).toContain("maxInfluences");
  });
});

test.each([
  [{}, "heterskin bind fox.glb"],
  [
    { maxInfluences: 4, prune: 0.01, smooth: 0, symmetry: true, provider: "auto" },
    "heterskin bind fox.glb",
  ],
  [
    { method: "heat", maxInfluences: 8, smooth: 2, symmetry: false, resolution: 96 },
    "heterskin bind fox.glb --method heat --max-influences 8 --smooth 2 --no-symmetry --resolution 96",
  ],
  [{ like: ["a b.glb", "c.glb"] }, 'heterskin bind fox.glb --like "a b.glb" --like c.glb'],
  [{ maxMemory: 2 ** 31 }, "heterskin bind fox.glb --max-memory 2048"],
])("the command line of %j sets the same options", (options, line) => {
  expect(commandLine("bind", ["fox.glb"], options)).toBe(line);
  const words = line.match(/"[^"]*"|\S+/g)!.map((word) => word.replaceAll('"', ""));
  expect(bindSettings(parseArguments(bind, words.slice(2)))).toMatchObject(options);
});

test("a value is refused in the unit it was typed in", () => {
  const half = 2 ** 19;
  expect(optionProblem(OPTIONS.maxMemory, half)).toBe(
    "must be a number from 1 to 1048576 MB, got 0.5",
  );
});
