import type { Command, CommandOption } from "./command.ts";
import { COMMON_OPTIONS } from "./parse-arguments.ts";

/** The help of one command; defaults are printed from its options. */
export function commandHelp(command: Command): string {
  const sections = [
    `${command.summary}\n\nUsage: heterskin ${command.usage}`,
    `Options:\n${table(optionRows({ ...command.options, ...COMMON_OPTIONS }))}`,
  ];
  if (command.examples?.length) {
    const rows = command.examples.map(([line, says]) => `  ${line}\n      ${says}`);
    sections.push(`Examples:\n${rows.join("\n")}`);
  }
  return `${sections.join("\n\n")}\n`;
}

/** The help of the program: all commands with their summaries. */
export function programHelp(commands: Command[]): string {
  return [
    "HeterSkin gives a character its skin weights: mesh and skeleton in, weights out.",
    "Usage: heterskin <command> [options]",
    `Commands:\n${table(commands.map(({ name, summary }) => [name, summary]))}`,
    "heterskin <command> --help shows the options of a command; heterskin --version the version.",
    "Exit status: 0 done, 1 something is wrong with the input, 2 a fault of ours, 130 stopped by Ctrl-C.\n",
  ].join("\n\n");
}

function optionRows(options: Record<string, CommandOption>): [string, string][] {
  return Object.entries(options).map(([name, option]) => {
    const short = option.short ? `-${option.short}, ` : "";
    const value = option.type === "flag" ? "" : ` <${option.value ?? option.type}>`;
    const choices = option.choices ? ` One of ${option.choices.join(", ")}.` : "";
    const standard =
      option.default === undefined || option.default === "" ? "" : ` Default: ${option.default}.`;
    return [`${short}--${name}${value}`, `${option.help}${choices}${standard}`];
  });
}

const WIDTH = 100;

function table(rows: (readonly [string, string])[]): string {
  const column = Math.max(...rows.map(([left]) => left.length)) + 4;
  return rows
    .map(([left, right]) => {
      const [first, ...rest] = wrap(right, WIDTH - column);
      const lines = [`  ${left}`.padEnd(column) + first];
      return [...lines, ...rest.map((line) => " ".repeat(column) + line)].join("\n");
    })
    .join("\n");
}

function wrap(text: string, width: number): string[] {
  const lines = [""];
  for (const word of text.split(" ")) {
    const last = lines[lines.length - 1];
    if (last && last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = last ? `${last} ${word}` : word;
  }
  return lines;
}
