import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { InputError } from "../input-error.ts";
import { nearestWord } from "./command.ts";

/** Name of the file with default options, looked up from the current folder upward. */
export const CONFIG_NAME = "heterskin.config.json";

/** Options of a config file, by camel-case name. */
export type ConfigOptions = Record<string, unknown>;

/** The content of a config file. */
export interface Config {
  file: string;
  /** Options of every command that has them. */
  common: ConfigOptions;
  /** Options of one command, which win over the common ones. */
  commands: Record<string, ConfigOptions>;
}

/**
 * Reads the config file: the given one, or the nearest in this folder and those above.
 *
 * @param given a path, or `none`
 * @param commands the names of all commands, whose sections it may have
 */
export function readConfig(
  given: string | undefined,
  commands: readonly string[],
): Config | undefined {
  if (given === "none") return undefined;
  const file = given ?? nearestConfig(process.cwd());
  if (file === undefined) return undefined;
  if (!existsSync(file)) throw new InputError(`${file}: no such config file.`);
  const common: ConfigOptions = {};
  const sections: Config["commands"] = {};
  for (const [name, value] of Object.entries(parse(file))) {
    if (!commands.includes(name)) common[name] = value;
    else if (isObject(value)) sections[name] = value;
    else throw new InputError(`${file}: "${name}" must be an object with options.`);
  }
  return { file, common, commands: sections };
}

/** Throws `InputError` for an option of the file that is not among the known ones. */
export function refuseUnknown(file: string, given: ConfigOptions, known: readonly string[]): void {
  for (const name of Object.keys(given)) {
    if (known.includes(name)) continue;
    const nearest = nearestWord(name, known);
    const hint = nearest ? `; did you mean "${nearest}"?` : ".";
    throw new InputError(`${file}: there is no option "${name}"${hint}`);
  }
}

/** Returns a value of a config file as text: a path that starts with ./ or ../ is relative to the file. */
export function relativeTo(file: string, value: string): string {
  return /^\.\.?[\\/]/.test(value) ? path.join(path.dirname(file), value) : value;
}

function nearestConfig(folder: string): string | undefined {
  const file = path.join(folder, CONFIG_NAME);
  if (existsSync(file)) return file;
  const above = path.dirname(folder);
  return above === folder ? undefined : nearestConfig(above);
}

function parse(file: string): ConfigOptions {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new InputError(
      `${file}: this is not JSON (${(error as Error).message.replace(/\.$/, "")}).`,
    );
  }
  if (!isObject(value)) throw new InputError(`${file}: this is not a JSON object.`);
  return value;
}

function isObject(value: unknown): value is ConfigOptions {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
