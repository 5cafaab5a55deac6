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
    ...(config.along && { along: 6 }),
    head: [12, 10],
    blocks: 1,
  };
}

/** Keeps the nearest candidates, for inputs that have no more. */
export function withoutLook(config: ModelConfig): ModelConfig {
  const { look: _, ...graph } = config.graph;
  return { ...config, graph };
}
