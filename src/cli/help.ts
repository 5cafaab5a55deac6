import type { Command, CommandOption } from "./command.ts";
import { COMMON_OPTIONS } from "./parse-arguments.ts";

/** Returns the help text of a command. */
export function commandHelp(command: Command): string {
  const sections = [`${command.summary}\n\nUsage: heterskin ${command.usage}`];
  if (command.commands) {
    sections.push(
      `Commands:\n${table(command.commands.map(({ name, summary }) => [name, summary]))}`,
    );
    sections.push(`Run heterskin ${command.name} <command> --help for the options of a command.`);
  } else {
    sections.push(...optionSections(command.options));
  }
  if (command.examples?.length) {
    const rows = command.examples.map(([line, effect]) => `  ${line}\n      ${effect}`);
    sections.push(`Examples:\n${rows.join("\n")}`);
  }
  return `${sections.join("\n\n")}\n`;
}

function optionSections(options: Record<string, CommandOption>): string[] {
  const [basic, advanced] = [false, true].map((wanted) =>
    Object.fromEntries(Object.entries(options).filter(([, each]) => !!each.advanced === wanted)),
  );
  const sections = [`Options:\n${table(optionRows({ ...basic, ...COMMON_OPTIONS }))}`];
  if (Object.keys(advanced).length > 0) sections.push(`Advanced:\n${table(optionRows(advanced))}`);
  return sections;
}

/** Returns the help text of the program: all commands with their summaries. */
export function programHelp(commands: Command[]): string {
  return [
    "HeterSkin computes skin weights: mesh and skeleton in, weights out.",
    "Usage: heterskin <command> [options]",
    `Commands:\n${table(commands.map(({ name, summary }) => [name, summary]))}`,
    "Run heterskin <command> --help for the options of a command, heterskin --version for the version.",
    "Exit status: 0 success, 1 invalid input, 2 internal error, 130 interrupted.\n",
  ].join("\n\n");
}

function optionRows(options: Record<string, CommandOption>): [string, string][] {
  return Object.entries(options).map(([name, option]) => {
    const short = option.short ? `-${option.short}, ` : "";
    const value = option.type === "flag" ? "" : ` <${option.value ?? option.type}>`;
    const choices = option.choices ? ` One of ${option.choices.join(", ")}.` : "";
    const facts = [boundsText(option), defaultText(option)].filter(Boolean).join(", ");
    const help = facts ? `${option.help.replace(/\.$/, "")} (${facts}).` : option.help;
    return [`${short}--${name}${value}`, `${help}${choices}`];
  });
}

/** Returns "1 to 8", or nothing for bounds that are only sanity limits. */
function boundsText({ min, max, unit }: CommandOption): string {
  if (min === undefined || max === undefined || unit || max > 1024) return "";
  return `${min} to ${max}`;
}

function defaultText({ type, default: value, unit }: CommandOption): string {
  if (value === undefined || value === "" || type === "flag") return "";
  return `default ${unit ? Number(value) / unit.size : value}`;
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
