import { defaultOutput } from "../../disk/output-paths.ts";
import { MOST_INFLUENCES, type RefineFileOptions, refineFile } from "../../files/refine-file.ts";
import {
  FORCE_OPTION,
  MAX_MEMORY_OPTION,
  maxMemoryOf,
  RESOLUTION_OPTION,
  THREADS_OPTION,
  TRIM_OPTIONS,
} from "../bind-options.ts";
import type { Command } from "../command.ts";

const { default: _, ...INFLUENCES } = TRIM_OPTIONS["max-influences"];

/** `heterskin refine`: takes weight off joints that are far from a vertex. */
export const refine: Command = {
  name: "refine",
  summary: "Clean the weights of any tool: no weight on joints far away inside the body.",
  usage: "refine <skinned> [out] [options]",
  positionals: [1, 2],
  options: {
    "max-influences": {
      ...INFLUENCES,
      most: MOST_INFLUENCES,
      help: "Most joints per vertex, 1 to 8; without it as many as the file has.",
    },
    resolution: {
      ...RESOLUTION_OPTION,
      help: "Cells along the longest side of the voxel grid.",
    },
    threads: THREADS_OPTION,
    "max-memory": MAX_MEMORY_OPTION,
    force: FORCE_OPTION,
  },
  examples: [["heterskin refine from-blender.glb clean.glb", "Bleed before and after is printed."]],
  async run(args, context) {
    const [input, output = defaultOutput(input)] = args.positionals;
    const { vertices, changed, bleed, notes } = await refineFile(input, output, {
      ...args.settings<RefineFileOptions>(refine.options),
      maxMemory: maxMemoryOf(args),
      onProgress: context.progress,
      signal: context.signal,
    });
    for (const note of notes) context.warn(`note: ${note}`);
    const percent = (share: number) => `${(share * 100).toFixed(2)} %`;
    context.print(
      `changed     ${changed} of ${vertices} places; vertices at one place move as one`,
    );
    context.print(`bleed       ${percent(bleed.before)} before, ${percent(bleed.after)} after`);
    context.print(`written     ${output}`);
  },
};
