import { serveLines } from "../../serve/lines/serve-lines.ts";
import type { Command } from "../command.ts";

/** `heterskin worker`: stays warm and answers requests of another program. */
export const worker: Command = {
  name: "worker",
  summary: "Answer requests of another program, a line of JSON each, and stay warm between them.",
  usage: "worker",
  positionals: [0, 0],
  options: {},
  examples: [["heterskin worker", "Requests on standard input, answers on standard output."]],
  async run(_, { signal }) {
    await serveLines(process.stdin, process.stdout, signal);
    signal.throwIfAborted();
  },
};
