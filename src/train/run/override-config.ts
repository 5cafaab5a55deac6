import { InputError } from "../../input-error.ts";

/**
 * Replaces entries of a configuration given as text: `blocks=4,loss.l1=0.7`.
 *
 * Only existing entries can be set, to values of the same type; the original is not modified.
 */
export function overrideConfig<T extends object>(config: T, changes: string): T {
  const out = structuredClone(config);
  for (const change of changes.split(",").filter((text) => text.trim() !== "")) {
    const [path, value] = change.split("=").map((part) => part.trim());
    const names = path.split(".");
    const last = names.pop()!;
    const owner = names.reduce<unknown>(
      (at, name) => (at as Record<string, unknown> | undefined)?.[name],
      out,
    ) as Record<string, unknown> | undefined;
    const old = owner && Object.hasOwn(owner, last) ? owner[last] : undefined;
    if (!owner || old === undefined || typeof old === "object") {
      throw new InputError(`The configuration has no entry "${path}".`);
    }
    owner[last] = parseAs(typeof old, path, value);
  }
  return out;
}

function parseAs(type: string, path: string, text: string | undefined): unknown {
  if (type === "string" && text) return text;
  if (type === "boolean" && (text === "true" || text === "false")) return text === "true";
  if (type === "number" && text && Number.isFinite(Number(text))) return Number(text);
  throw new InputError(`The entry "${path}" must be a ${type}, got "${text ?? ""}".`);
}
