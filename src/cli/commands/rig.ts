import type { Command } from "../command.ts";
import { bindSettings, verbOptions } from "../verb-options.ts";
import { BIND_OUTPUTS, bindFiles } from "./bind.ts";

/** The template that suits the mesh. */
const AUTO = "template:auto";

const { fit: _, ...options } = verbOptions("bind");

/** `heterskin rig`: puts a skeleton into a mesh, binds it and adds motions; `bind --fit` by another name. */
export const rig: Command = {
  name: "rig",
  summary: "Fit a skeleton into a mesh, bind it and add motions, in one step.",
  usage: "rig <mesh> [out] [options], rig <mesh...> <folder> [options]",
  positionals: [1, Number.POSITIVE_INFINITY],
  options: {
    ...options,
    skeleton: { ...options.skeleton, default: AUTO },
    ...BIND_OUTPUTS,
  },
  examples: [
    [
      "heterskin rig body.obj hero.glb --motion walk,wave",
      "Chooses a template; it walks and waves.",
    ],
    [
      "heterskin rig body.obj hero.glb --names mixamo --fingers 5",
      "Names the joints as Mixamo does.",
    ],
    ["heterskin rig body.obj hero.vrm --names vrm --fingers 5", "Writes a VRM 1.0 humanoid."],
    [
      "heterskin rig orc.glb out.glb --skeleton elf.glb",
      "Fits the skeleton of another character, with its animations.",
    ],
  ],
  run: (args, context) =>
    bindFiles(args, context, {
      ...bindSettings(args),
      skeleton: args.text("skeleton") ?? AUTO,
      fit: true,
    }),
};
