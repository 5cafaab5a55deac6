import { describe, expect, test } from "vitest";
import { InputError } from "../input-error.ts";
import { type Command, nearestWord } from "./command.ts";
import { commandHelp } from "./help.ts";
import { parseArguments } from "./parse-arguments.ts";

const command: Command = {
  name: "cook",
  summary: "Cook.",
  usage: "cook <what>",
  positionals: [1, 2],
  options: {
    minutes: { type: "integer", help: "How long.", default: 10, min: 1, max: 90 },
    heat: { type: "choice", help: "How hot.", choices: ["low", "high"] },
    stir: { type: "flag", short: "s", help: "Stir." },
    offset: { type: "number", help: "Any number." },
    spice: { type: "text", help: "What goes in.", many: true },
  },
  run: async () => {},
};

describe("parseArguments", () => {
  test("returns values, defaults and missing options", () => {
    const args = parseArguments(command, ["soup", "--heat", "low", "-s", "--offset=-1.5"]);
    expect(args.positionals).toEqual(["soup"]);
    expect(args.text("heat")).toBe("low");
    expect(args.number("minutes")).toBe(10);
    expect(args.number("offset")).toBe(-1.5);
    expect(args.flag("stir")).toBe(true);
    expect(args.flag("quiet")).toBe(false);
  });

  test("collects repeated options", () => {
    const spices = (...argv: string[]) =>
      parseArguments(command, ["soup", ...argv]).settings<{ spice?: string[] }>(command.options)
        .spice;
    expect(spices("--spice", "salt", "--heat", "low", "--spice=dill")).toEqual(["salt", "dill"]);
    expect(spices()).toBeUndefined();
  });

  test.each<[string, string[], RegExp]>([
    ["an unknown option, with a hint", ["a", "--minute", "3"], /did you mean --minutes/],
    ["an unknown option without a similar one", ["a", "--zzzzzz"], /heterskin cook --help/],
    ["an option named like a built-in", ["a", "--constructor"], /no option --constructor/],
    ["an invalid number", ["a", "--minutes", "ten"], /an integer from 1 to 90, got "ten"/],
    ["a number out of range", ["a", "--minutes", "91"], /got 91/],
    ["a broken number", ["a", "--minutes", "2.5"], /got 2.5/],
    ["an unknown choice", ["a", "--heat", "hihg"], /did you mean high/],
    ["a missing value", ["a", "--heat", "--stir"], /needs a value/],
    ["a missing value at the end", ["a", "--heat"], /needs a value/],
    ["a value for a flag", ["a", "--stir=yes"], /takes no value/],
    ["too few arguments", [], /usage: heterskin cook <what>/],
    ["too many arguments", ["a", "b", "c"], /"c" is one argument too many/],
  ])("refuses %s", (_, argv, message) => {
    expect(() => parseArguments(command, argv)).toThrow(InputError);
    expect(() => parseArguments(command, argv)).toThrow(message);
  });

  test("requires no arguments with --help", () => {
    expect(parseArguments(command, ["--help"]).flag("help")).toBe(true);
  });
});

describe("commandHelp", () => {
  test("prints every option with its default", () => {
    const help = commandHelp(command);
    for (const name of Object.keys(command.options)) expect(help).toContain(`--${name}`);
    expect(help).toContain("(1 to 90, default 10)");
    expect(Math.max(...help.split("\n").map((line) => line.length))).toBeLessThanOrEqual(100);
  });
});

describe("nearestWord", () => {
  test("suggests corrections for typing errors only", () => {
    const words = ["bind", "inspect", "evaluate"];
    expect(nearestWord("bidn", words)).toBe("bind");
    expect(nearestWord("eval", words)).toBe("evaluate");
    expect(nearestWord("banana", words)).toBeUndefined();
    expect(nearestWord("x", words)).toBeUndefined();
  });
});
