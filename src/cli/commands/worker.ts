import { serveLines } from "../../serve/lines/serve-lines.ts";
import type { Command } from "../command.ts";

/** `heterskin worker`: answers requests of another program on standard input and output. */
export const worker: Command = {
  name: "worker",
  summary: "Answer requests of another program, one line of JSON each, without restarting.",
  usage: "worker",
  positionals: [0, 0],
  options: {},
  examples: [["heterskin worker", "Requests on standard input, answers on standard output."]],
  async run(_, { signal }) {
    await serveLines(process.stdin, process.stdout, signal);
    signal.throwIfAborted();
  },
};
