import { commandLine as lineOf } from "../../src/parts.ts";
import { currentBind } from "./binds.ts";
import type { Step } from "./kept-bind.ts";
import type { State } from "./store.ts";

/** The commands that compute the same weights in a terminal; for the file's own weights, a bind. */
export function commandLine(state: State): string {
  const { source, options } = state;
  const bind = currentBind(state);
  const steps = bind?.steps.length ? bind.steps : [bindStep(state, options)];
  let file = source.file;
  const lines = steps.map(({ verb, from, options }, i) => {
    // Each command reads the output of the previous one.
    const out = i < steps.length - 1 ? [`step-${i + 1}.glb`] : [];
    const line = lineOf(verb, [...(from ? [from] : []), file, ...out], options);
    file = out[0] ?? file;
    return line;
  });
  return lines.join(" && ");
}

/** A bind of the open character with these options, as a step of {@link commandLine}. */
export function bindStep(
  { source, rigging }: State,
  { ...options }: State["options"],
  like?: string | undefined,
): Step {
  const { skeleton } = source;
  const isTemplate = skeleton?.startsWith("template:");
  const fit = isTemplate || source.isAligned || undefined;
  const { names, fingers, hasChains = true } = (isTemplate && rigging) || {};
  const rig = {
    ...(names && names !== "own" && { names }),
    ...(fingers && { fingers }),
    ...(!hasChains && { chains: "none" }),
  };
  return {
    verb: "bind",
    options: { skeleton, fit, ...rig, ...options, ...(like && { like: [like] }) },
  };
}
