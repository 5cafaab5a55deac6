import { InputError } from "../../input-error.ts";

/**
 * Returns a copy of a configuration with entries replaced by text such as `blocks=4,loss.l1=0.7`.
 *
 * Only existing entries can be set, to values of the same type.
 */
export function overrideConfig<T extends object>(config: T, changes: string): T {
  const out = structuredClone(config);
  for (const change of changes.split(",").filter((text) => text.trim() !== "")) {
    const [path, value] = change.split("=").map((part) => part.trim());
    const names = path.split(".");
    const last = names.pop()!;
    type Entries = Record<string, unknown> | undefined;
    const parent = names.reduce((at, name) => at?.[name] as Entries, out as Entries);
    const old = parent && Object.hasOwn(parent, last) ? parent[last] : undefined;
    if (!parent || old === undefined || typeof old === "object") {
      throw new InputError(`The configuration has no entry "${path}".`);
    }
    parent[last] = parseAs(typeof old, path, value);
  }
  return out;
}

function parseAs(type: string, path: string, text: string | undefined): unknown {
  if (type === "string" && text) return text;
  if (type === "boolean" && (text === "true" || text === "false")) return text === "true";
  if (type === "number" && text && Number.isFinite(Number(text))) return Number(text);
  throw new InputError(`The entry "${path}" is a ${type}, got "${text ?? ""}".`);
}
