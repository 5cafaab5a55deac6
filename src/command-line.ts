import { flagName, optionsOf, type Verb } from "./options.ts";

/**
 * Returns the command line that runs a verb with the same options, defaults omitted:
 * `heterskin bind fox.glb --max-influences 8`.
 */
export function commandLine(
  verb: Verb,
  files: readonly string[],
  options: Readonly<Record<string, unknown>>,
): string {
  const words = optionsOf(verb, "cli").flatMap(([name, spec]) => {
    const { type, default: defaultValue = type === "flag" ? false : undefined, unit } = spec;
    const value = options[name];
    if (value === undefined || value === defaultValue) return [];
    const flag = `--${flagName(name)}`;
    if (type === "flag") return [flag];
    if (type === "files") return (value as string[]).flatMap((file) => [flag, file]);
    const names =
      type === "names" && (value as string[]).map((each) => each.replaceAll(",", "\\,"));
    return [flag, names ? names.join() : `${unit ? Number(value) / unit.size : value}`];
  });
  const quote = (word: string) =>
    /^[\w./:,+-]+$/.test(word) ? word : `"${word.replace(/(["\\$`])/g, "\\$1")}"`;
  return ["heterskin", verb, ...[...files, ...words].map(quote)].join(" ");
}
