import { METHOD_NAMES, SKIN_DEFAULTS } from "../../src/index.ts";
import type { BindOptions } from "./bind-calls.ts";

/**
 * Options of every newly opened character: the library's defaults, with the method of the page's address if it
 * names one (`?method=heat`).
 */
export function defaultOptions(): Omit<BindOptions, "provider"> {
  const wanted = new URLSearchParams(globalThis.location?.search ?? "").get("method") ?? "";
  const { method, maxInfluences } = SKIN_DEFAULTS;
  return {
    method: METHOD_NAMES.find((name) => name === wanted) ?? method,
    maxInfluences,
    smooth: 0,
    resolution: undefined,
    symmetry: true,
  };
}
