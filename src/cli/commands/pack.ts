import { writeWhole } from "../../disk/write-whole.ts";
import { InputError } from "../../input-error.ts";
import { characterSources, readSource } from "../../train/data/character-source.ts";
import { PackWriter } from "../../train/data/pack.ts";
import { type Command, text } from "../command.ts";
import { FILE_OPTIONS, printPlan } from "../file-jobs.ts";
import { LIST_OPTION } from "../verb-options.ts";

/** `heterskin pack`: packs rigged files into one small file for training on another machine. */
export const pack: Command = {
  name: "pack",
  summary: "Pack rigged files into one small file, to prepare and train on another machine.",
  usage: "pack <folder> <file> [options]",
  positionals: [2, 2],
  options: {
    list: LIST_OPTION,
    split: text("a,b", "Splits to pack (default: all)."),
    "dry-run": FILE_OPTIONS["dry-run"],
  },
  examples: [
    [
      "heterskin pack data/characters all.pack --list data/characters.tsv --split train,val",
      "About 12 bytes per vertex.",
    ],
  ],
  async run(args, context) {
    const [folder, file] = args.positionals;
    const splits = args.text("split")?.split(",");
    const sources = characterSources(folder, { list: args.text("list"), splits });
    if (args.flag("dry-run")) {
      return printPlan(
        context,
        sources.map(({ path: each }) => each),
        [file],
      );
    }
    const writer = new PackWriter();
    let packed = 0;
    for (const [index, source] of sources.entries()) {
      context.signal.throwIfAborted();
      context.progress("packing", index / sources.length);
      try {
        writer.add(await readSource(source), source.split);
        packed++;
      } catch (error) {
        if (!(error instanceof InputError)) throw error;
        context.warn(`${source.name}: ${error.message}`);
      }
    }
    const bytes = writer.finish();
    writeWhole([[file, bytes]]);
    context.print(`${packed} characters, ${(bytes.length / 1e6).toFixed(1)} MB: ${file}`);
    context.result({ file, characters: packed, bytes: bytes.length });
  },
};
