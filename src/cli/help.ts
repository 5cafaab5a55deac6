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
    const [basic, advanced] = [false, true].map((wanted) =>
      Object.entries(command.options).filter(([, { advanced = false }]) => advanced === wanted),
    );
    const common = Object.entries(COMMON_OPTIONS).filter(([name]) => !(name in command.options));
    sections.push(`Options:\n${table(optionRows([...basic, ...common]))}`);
    if (advanced.length > 0) sections.push(`Advanced:\n${table(optionRows(advanced))}`);
  }
  if (command.examples?.length) {
    const rows = command.examples.map(([line, effect]) => `  ${line}\n      ${effect}`);
    sections.push(`Examples:\n${rows.join("\n")}`);
  }
  return `${sections.join("\n\n")}\n`;
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

function optionRows(options: [string, CommandOption][]): [string, string][] {
  return options.map(([name, option]) => {
    const short = option.short ? `-${option.short}, ` : "";
    const value = option.type === "flag" ? "" : ` <${option.value ?? option.type}>`;
    const choices = option.choices ? ` One of ${option.choices.join(", ")}.` : "";
    const facts = factsText(option);
    const help = facts ? `${option.help.replace(/\.$/, "")} (${facts}).` : option.help;
    return [`${short}--${name}${value}`, `${help}${choices}`];
  });
}

/** Returns "1 to 8, default 4"; omits bounds that are only sanity limits. */
function factsText({ type, min, max, unit, default: value }: CommandOption): string {
  const hasBounds = min !== undefined && max !== undefined && !unit && max <= 1024;
  const hasDefault = value !== undefined && value !== "" && type !== "flag";
  return [
    ...(hasBounds ? [`${min} to ${max}`] : []),
    ...(hasDefault ? [`default ${unit ? Number(value) / unit.size : value}`] : []),
  ].join(", ");
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
