import { dressSample } from "../../../samples/dress/index.ts";
import { makeSample, SAMPLES } from "../../../samples/index.ts";
import { writeCharacterFile } from "../../disk/character-files.ts";
import { checkOutput } from "../../disk/output-paths.ts";
import { fileFromCharacter } from "../../formats/file-from-character.ts";
import type { Command } from "../command.ts";
import { FILE_OPTIONS, printPlan } from "../file-jobs.ts";
import { PIPE, withPipes } from "../pipes.ts";
import { FORCE_OPTION } from "../verb-options.ts";

/** `heterskin sample`: writes one of the built-in characters. */
export const sample: Command = {
  name: "sample",
  summary: "Write a built-in character to try the other commands on; without a name, list them.",
  usage: "sample [name] [out]",
  positionals: [0, 2],
  options: { force: FORCE_OPTION, "dry-run": FILE_OPTIONS["dry-run"] },
  examples: [
    ["heterskin sample fox", "Writes fox.glb, with skeleton, weights and a motion."],
    ["heterskin sample dancer dancer.fbx", "The format is that of the name."],
  ],
  async run(args, context) {
    const [name, given] = args.positionals;
    if (name === undefined) {
      for (const { name: each, title } of SAMPLES) context.print(`${each.padEnd(12)}${title}`);
      return context.result(SAMPLES.map(({ name: each, title }) => ({ name: each, title })));
    }
    const character = makeSample(name);
    const output = given ?? `${name}.glb`;
    const force = args.flag("force");
    if (output !== PIPE) await checkOutput(output, force);
    if (args.flag("dry-run")) return printPlan(context, [], [output]);
    const file = fileFromCharacter(character, dressSample(character));
    await withPipes({ input: "", output }, context, "glb", async ({ output: to, shown }) => {
      await writeCharacterFile(to, file, character.weights!, { force });
      context.print(`written     ${shown}`);
    });
    context.result({ name, output });
  },
};
