import { type WrittenModel, writeModel } from "../../files/model-files.ts";
import { InputError } from "../../input-error.ts";
import { type Command, choice, number, text } from "../command.ts";
import { FILE_OPTIONS, printPlan } from "../file-jobs.ts";

/** `heterskin export`: writes the model of a training run. */
export const exportCommand: Command = {
  name: "export",
  summary: "Write the model of a training run as .onnx, with a description as .json.",
  usage: "export <run or model> <model.onnx> [options]",
  positionals: [2, 2],
  options: {
    which: choice("name", ["best", "last"], "Checkpoint: best by validation, or last.", "best"),
    temperature: number(
      "n",
      [0.1, 10],
      "Divide the scores by this; values above 1 give softer weights with more influences.",
    ),
    heat: number("n", [0, 1], "Multiply the weights by heat diffusion to this power."),
    "mean-with": text(
      "a.onnx,b.onnx",
      "Average the parameters with those of these models, which it was fine-tuned from.",
    ),
    note: text("key=text", "Entry to add to the model's metadata, such as data=credits."),
    "dry-run": FILE_OPTIONS["dry-run"],
  },
  examples: [
    ["heterskin export run models/heterskin.onnx", "The best checkpoint of a run."],
    ["heterskin export mine.onnx soft.onnx --temperature 1.2", "A model with softer weights."],
  ],
  async run(args, context) {
    const [folder, file] = args.positionals;
    if (!file.endsWith(".onnx")) throw new InputError(`${file}: a model name must end in .onnx.`);
    const note = args.text("note");
    const at = note?.indexOf("=") ?? -1;
    if (note && at < 1) throw new InputError(`--note takes key=text, got "${note}".`);
    const notes = note ? { [note.slice(0, at)]: note.slice(at + 1) } : {};
    const which = args.requireText("which") as "best" | "last";
    const [temperature, heat] = [args.number("temperature"), args.number("heat")];
    const meanWith = args.text("mean-with")?.split(",");
    if (args.flag("dry-run")) {
      return printPlan(context, [folder], [file, file.replace(/\.onnx$/, ".json")]);
    }
    const written = await writeModel(folder, file, { which, notes, temperature, heat, meanWith });
    context.print(modelLine(written));
    context.result(written);
  },
};

/** Formats the paths and the size of a written model. */
export function modelLine({ file, description, bytes }: WrittenModel): string {
  return `${file} (${(bytes / 1e6).toFixed(1)} MB), ${description}`;
}
