import { checkWeights } from "../../src/index.ts";
import { influenceHistogram } from "../../src/parts.ts";
import { commandLine } from "./command-line.ts";
import { groupDoubts } from "./group-doubts.ts";
import type { State } from "./store.ts";

/** What is known about a binding, as JSON for a file. */
export function pageReport(state: State): Record<string, unknown> {
  const { character, binding, weights, doubts, comparison } = state;
  if (!character || !weights) return {};
  const { skeleton } = character.prepared.character;
  const name = (joint: number) => skeleton.names[joint];
  const places = weights.weights.length / weights.influences;
  const problems = checkWeights(weights, places, skeleton.names.length);
  return {
    heterskin: HETERSKIN_VERSION,
    input: {
      ...state.source,
      format: character.format,
      vertices: character.vertices,
      places,
      triangles: character.triangles,
      joints: skeleton.names.length,
      oddities: character.oddities,
    },
    command: commandLine(state),
    isPainted: state.isPainted,
    ...(binding && {
      method: binding.options.method,
      options: binding.options,
      timings: binding.result.timings,
      milliseconds: Math.round(binding.milliseconds),
      warnings: binding.result.warnings,
    }),
    influences: influenceHistogram(weights),
    check: { ok: problems.length === 0, problems },
    ...(doubts && {
      doubts: {
        vertices: groupDoubts(doubts, weights).map(({ reason, joint, vertices }) => ({
          reason,
          joint: name(joint),
          count: vertices.length,
        })),
        bones: doubts.bones.map(({ joint, reason }) => ({ joint: name(joint), reason })),
      },
    }),
    lost: character.lost,
    ...(comparison && { score: comparison.score, bleedBefore: comparison.bleedBefore }),
  };
}
