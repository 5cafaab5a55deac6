import { InputError } from "../../input-error.ts";
import type { Command } from "../command.ts";
import { completionScript, SHELLS } from "../completion-script.ts";
import { COMMON_OPTIONS } from "../parse-arguments.ts";

/** `heterskin completion`: prints the script that completes commands and options in a shell. */
export const completion: Command = {
  name: "completion",
  summary: "Print the completion script of a shell.",
  usage: "completion bash|zsh|fish",
  positionals: [1, 1],
  options: {},
  examples: [
    ['eval "$(heterskin completion bash)"', "In ~/.bashrc; with zsh in ~/.zshrc."],
    ["heterskin completion fish > ~/.config/fish/completions/heterskin.fish", "With fish."],
  ],
  async run(args, context) {
    const shell = SHELLS.find((each) => each === args.positionals[0]);
    if (!shell) throw new InputError(`Completion exists for ${SHELLS.join(", ")}.`);
    const script = completionScript(shell, await context.commands(), COMMON_OPTIONS);
    if (args.flag("json")) context.result({ shell, script });
    else context.output(script);
  },
};
