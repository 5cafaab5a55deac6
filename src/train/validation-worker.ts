import { openSkinModel, runSkinModel } from "../solve/heterskinnet.ts";
import { exportModel } from "./export-model.ts";
import { openSampleFile } from "./sample-file.ts";
import { readValidation, type ValidationCharacter, validate } from "./validate.ts";
import type { ValidationAnswer, ValidationRequest, ValidationSetup } from "./validation-process.ts";

let setup: ValidationSetup | undefined;
let characters: ValidationCharacter[] = [];

process.on("message", async (message: ValidationSetup | ValidationRequest) => {
  if ("files" in message) {
    setup = message;
    characters = readValidation(message.files.map(openSampleFile));
    return;
  }
  process.send!(await answer(message));
});
// The training may be killed at any moment; its helper must not outlive it.
process.on("disconnect", () => process.exit());

async function answer({ average }: ValidationRequest): Promise<ValidationAnswer> {
  try {
    const { config, threads } = setup!;
    const model = await openSkinModel(await exportModel(config, average), {
      provider: "cpu",
      threads,
    });
    try {
      return { score: await validate(characters, ({ input }) => runSkinModel(model, input)) };
    } finally {
      await model.session.dispose();
    }
  } catch (error) {
    return { error: (error as Error).stack ?? String(error) };
  }
}
