import type { ModelConfig } from "../../src/graph/model-config.ts";
import { PRESETS } from "../../src/network/presets.ts";

/** A preset reduced to a size that allows finite differences in a test. */
export function smallConfig(preset: string, k = 4): ModelConfig {
  const config = PRESETS[preset];
  return {
    ...config,
    graph: { ...config.graph, k, ring: 8, ball: 8 },
    vertex: 16,
    bone: 12,
    pair: 8,
    global: 8,
    head: [12, 10],
    blocks: 1,
  };
}
