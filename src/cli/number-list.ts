import { InputError } from "../input-error.ts";
import { nearestWord } from "./command.ts";

/** The entries of an option of the form `a=1,b=2`: the setting and the bounds of each name. */
export type NumberList<Setting extends PropertyKey> = Readonly<
  Record<string, { setting: Setting; min: number; max?: number }>
>;

/** Parses `a=1,b=2`; throws `InputError` for an unknown name or a number out of bounds. */
export function numbersIn<Setting extends PropertyKey>(
  flag: string,
  text: string | undefined,
  list: NumberList<Setting>,
): Partial<Record<Setting, number>> {
  const found: Partial<Record<Setting, number>> = {};
  for (const part of (text ?? "").split(",").filter(Boolean)) {
    const [name, digits = ""] = part.split("=").map((word) => word.trim());
    const entry = Object.hasOwn(list, name) ? list[name] : undefined;
    if (!entry) {
      const nearest = nearestWord(name, Object.keys(list));
      const hint = nearest ? `did you mean ${nearest}?` : `it has ${Object.keys(list).join(", ")}.`;
      throw new InputError(`${flag} has no entry "${name}"; ${hint}`);
    }
    const { setting, min, max = Infinity } = entry;
    const value = digits === "" ? Number.NaN : Number(digits);
    if (!(value >= min && value <= max)) {
      const bounds = max < Infinity ? `from ${min} to ${max}` : `from ${min}`;
      throw new InputError(`${flag} ${name} must be a number ${bounds}, got "${digits}".`);
    }
    found[setting] = value;
  }
  return found;
}
