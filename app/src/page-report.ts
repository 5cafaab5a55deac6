import { checkWeights } from "../../src/index.ts";
import { findingText, influenceHistogram } from "../../src/parts.ts";
import { currentBind } from "./binds.ts";
import { commandLine } from "./command-line.ts";
import { groupDoubts } from "./group-doubts.ts";
import type { State } from "./store.ts";

/** Report of a bind as JSON. */
export function pageReport(state: State): Record<string, unknown> {
  const { character, doubts, comparison } = state;
  const bind = currentBind(state);
  if (!character || !bind) return {};
  const { weights, options, result, milliseconds = 0 } = bind;
  const { skeleton } = character.prepared.character;
  const name = (joint: number) => skeleton.names[joint];
  const positions = weights.weights.length / weights.influences;
  const problems = checkWeights(weights, positions, skeleton.names.length);
  return {
    heterskin: HETERSKIN_VERSION,
    input: {
      file: state.source.file,
      skeleton: state.source.skeleton,
      format: character.format,
      vertices: character.vertices,
      positions,
      triangles: character.triangles,
      joints: skeleton.names.length,
      oddities: character.oddities,
    },
    command: commandLine(state),
    weights: bind.title,
    isPainted: bind.isPainted,
    ...(options &&
      result && {
        method: options.method,
        options,
        timings: result.timings,
        where: result.isRemote ? "server" : "browser",
        milliseconds: Math.round(milliseconds),
        warnings: result.warnings,
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
        poses: doubts.poses.findings.map((finding) => findingText(finding, skeleton.names)),
        bones: doubts.bones.map(({ joint, reason }) => ({ joint: name(joint), reason })),
      },
    }),
    lost: Object.fromEntries(
      character.formats
        .filter(({ lost }) => lost.length > 0)
        .map(({ format, lost }) => [format, lost]),
    ),
    ...(comparison && { score: comparison.score, bleedBefore: comparison.bleedBefore }),
  };
}
