import { checkWritable } from "../../disk/output-paths.ts";
import { writeWhole } from "../../disk/write-whole.ts";
import { type AdaptFilesOptions, adaptFiles } from "../../files/adapt-files.ts";
import { loadModel } from "../../files/model-files.ts";
import { InputError } from "../../input-error.ts";
import { DEFAULT_NETWORK } from "../../models.ts";
import { type Command, text } from "../command.ts";
import { FILE_OPTIONS, printPlan } from "../file-jobs.ts";
import { learnedLines } from "../report-text.ts";
import { FORCE_OPTION, namedOptions } from "../verb-options.ts";

const LEARNING = namedOptions(["threads", "provider", "cache"]);

/** `heterskin adapt`: fine-tunes the network on a few rigged characters and writes the adapted model. */
export const adapt: Command = {
  name: "adapt",
  summary: "Teach the network the style of your own rigged characters.",
  usage: "adapt <rigs...> --out mine.onnx [options]",
  positionals: [1, Number.POSITIVE_INFINITY],
  options: {
    out: text("file.onnx", "Output model, for bind --model.", "adapted.onnx"),
    ...namedOptions(["model"]),
    ...LEARNING,
    force: FORCE_OPTION,
    "dry-run": FILE_OPTIONS["dry-run"],
  },
  examples: [
    ["heterskin adapt hero.glb villain.glb --out mine.onnx", "Learns from two characters."],
    ["heterskin bind new.glb --model mine.onnx", "Binds in their style."],
  ],
  async run(args, context) {
    const out = args.requireText("out");
    if (!/\.onnx$/i.test(out)) throw new InputError(`${out}: a model name must end in .onnx.`);
    await checkWritable(out, args.flag("force"));
    if (args.flag("dry-run")) return printPlan(context, args.positionals, [out]);
    const base = await loadModel(DEFAULT_NETWORK, args.text("model"));
    const adapted = await adaptFiles(args.positionals, base!, {
      ...args.settings<AdaptFilesOptions>(LEARNING),
      onProgress: context.progress,
      signal: context.signal,
    });
    writeWhole([[out, adapted.model]]);
    for (const line of learnedLines(adapted.notes)) context.print(line);
    context.print(`written     ${out}`);
    context.result({ output: out, notes: adapted.notes });
  },
};
