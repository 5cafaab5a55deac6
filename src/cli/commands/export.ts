import { type WrittenModel, writeModel } from "../../files/write-model.ts";
import { InputError } from "../../input-error.ts";
import {
  type Command,
  type CommandArguments,
  type CommandContext,
  choice,
  number,
  text,
} from "../command.ts";

/** Writes the model of a training run. */
export const exportCommand: Command = {
  name: "export",
  summary: "Write the model of a training run as .onnx, with a .json beside it.",
  usage: "export <run or model> <model.onnx> [options]",
  positionals: [2, 2],
  options: {
    which: choice("text", ["best", "last"], "The checkpoint: best by validation, or last.", "best"),
    temperature: number(
      "n",
      [0.1, 10],
      "Divides the scores: above 1 for softer weights, which find more influences.",
    ),
    heat: number("n", [0, 1], "Leans on heat diffusion: the power of its weights in the model's."),
    "mean-with": text(
      "a.onnx,b.onnx",
      "Take the mean of its parameters and those of these models, which it has gone on from.",
    ),
    note: text("key=text", "One more entry for the model's metadata, such as data=credits."),
  },
  examples: [
    ["heterskin export run models/heterskin.onnx", "the best checkpoint of a run"],
    ["heterskin export mine.onnx soft.onnx --temperature 1.2", "a model, with softer weights"],
  ],
  run,
};

async function run(args: CommandArguments, context: CommandContext): Promise<void> {
  const [folder, file] = args.positionals;
  if (!file.endsWith(".onnx")) throw new InputError(`${file}: name the model *.onnx.`);
  const note = args.text("note");
  const at = note?.indexOf("=") ?? -1;
  if (note && at < 1) throw new InputError(`--note takes key=text, got "${note}".`);
  const notes = note ? { [note.slice(0, at)]: note.slice(at + 1) } : {};
  const which = args.needText("which") as "best" | "last";
  const [temperature, heat] = [args.number("temperature"), args.number("heat")];
  const meanWith = args.text("mean-with")?.split(",");
  const made = await writeModel(folder, file, { which, notes, temperature, heat, meanWith });
  context.print(modelLine(made));
}

/** What was written, for people. */
export function modelLine({ file, beside, bytes }: WrittenModel): string {
  return `${file} (${(bytes / 1e6).toFixed(1)} MB), ${beside}`;
}
