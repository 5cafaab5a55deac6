import { SKIN_DEFAULTS } from "../../src/index.ts";
import { currentBind } from "./binds.ts";
import type { State } from "./store.ts";

/** The command that gives the same weights in a terminal. */
export function commandLine(state: State): string {
  const { source, options } = state;
  const bind = currentBind(state);
  if (bind?.origin === "cleaned") return `heterskin refine ${quote(source.file)}`;
  const used = bind?.options ?? options;
  const words = ["heterskin", "bind", quote(source.file)];
  if (source.skeleton) words.push("--skeleton", quote(source.skeleton));
  if (source.skeleton?.startsWith("template:")) words.push("--fit");
  if (used.method !== SKIN_DEFAULTS.method) words.push("--method", used.method);
  if (used.maxInfluences !== SKIN_DEFAULTS.maxInfluences) {
    words.push("--max-influences", String(used.maxInfluences));
  }
  if (used.smooth > 0) words.push("--smooth", String(used.smooth));
  if (!used.symmetry) words.push("--no-symmetry");
  if (used.resolution) words.push("--resolution", String(used.resolution));
  return words.join(" ");
}

function quote(word: string): string {
  return /^[\w./:-]+$/.test(word) ? word : `"${word.replace(/(["\\$`])/g, "\\$1")}"`;
}
