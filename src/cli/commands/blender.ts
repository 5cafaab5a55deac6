import { mkdirSync } from "node:fs";
import path from "node:path";
import { checkWritable } from "../../disk/output-paths.ts";
import { writeWhole } from "../../disk/write-whole.ts";
import { blenderZip } from "../../files/package-files.ts";
import { executablePath } from "../../files/package-root.ts";
import { InputError } from "../../input-error.ts";
import { type Command, flag, text } from "../command.ts";
import { FILE_OPTIONS, printPlan } from "../file-jobs.ts";
import { FORCE_OPTION } from "../verb-options.ts";

/** Name of the zip file. */
const NAME = "heterskin-blender.zip";

/** `heterskin blender`: writes the Blender add-on as a zip file to install. */
export const blender: Command = {
  name: "blender",
  summary: "Write the Blender add-on, one zip file to install in Blender.",
  usage: "blender <folder> [--with-executable]",
  positionals: [1, 1],
  options: {
    "with-executable": flag(
      "Put the executable of this platform inside, so that Blender needs no Node.",
    ),
    executable: text("file", "Put this executable inside; by default the one that is running."),
    force: FORCE_OPTION,
    "dry-run": FILE_OPTIONS["dry-run"],
  },
  examples: [
    ["heterskin blender .", `Writes ${NAME}; Blender uses the Node of the machine.`],
    ["heterskin blender . --with-executable", "From the executable: for machines without Node."],
  ],
  async run(args, context) {
    const [folder] = args.positionals;
    const output = path.join(folder, NAME);
    const given = args.text("executable");
    const executable = given ?? (args.flag("with-executable") ? executablePath() : undefined);
    if (args.flag("with-executable") && executable === undefined) {
      throw new InputError(
        "This program runs on Node and has no executable; name one with --executable, or run the executable's own command.",
      );
    }
    if (args.flag("dry-run")) return printPlan(context, executable ? [executable] : [], [output]);
    mkdirSync(folder, { recursive: true });
    await checkWritable(output, args.flag("force"));
    const zip = blenderZip(executable);
    writeWhole([[output, zip]]);
    context.print(`${output} (${(zip.length / 1e6).toFixed(1)} MB)`);
    context.result({ output, bytes: zip.length, executable });
  },
};
