import { InputError } from "../../input-error.ts";

/**
 * A configuration with some entries replaced, as text gives them: `blocks=4,loss.l1=0.7`.
 *
 * Only entries that are there can be set, to values of the same type; the original is left as it is.
 */
export function overrideConfig<T extends object>(config: T, changes: string): T {
  const out = structuredClone(config);
  for (const change of changes.split(",").filter((text) => text.trim() !== "")) {
    const [path, value] = change.split("=").map((part) => part.trim());
    const names = path.split(".");
    const last = names.pop()!;
    const place = names.reduce<unknown>(
      (at, name) => (at as Record<string, unknown> | undefined)?.[name],
      out,
    ) as Record<string, unknown> | undefined;
    const old = place && Object.hasOwn(place, last) ? place[last] : undefined;
    if (!place || old === undefined || typeof old === "object") {
      throw new InputError(`The configuration has no entry "${path}".`);
    }
    place[last] = parseAs(typeof old, path, value);
  }
  return out;
}

function parseAs(type: string, path: string, text: string | undefined): unknown {
  if (type === "string" && text) return text;
  if (type === "boolean" && (text === "true" || text === "false")) return text === "true";
  if (type === "number" && text && Number.isFinite(Number(text))) return Number(text);
  throw new InputError(`The entry "${path}" is a ${type}, got "${text ?? ""}".`);
}
