import type { ModelConfig } from "../graph/model-config.ts";
import { sameSettings } from "./same-settings.ts";

/** Whether two networks see the same things and have the same parameters, however they were trained. */
export function sameKind(one: ModelConfig, other: ModelConfig): boolean {
  const kind = ({ temperature, heat, loss, dropout, edgeDropout, preset, ...rest }: ModelConfig) =>
    rest;
  return sameSettings(kind(one), kind(other));
}
