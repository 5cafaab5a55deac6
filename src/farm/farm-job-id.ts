import { createHash } from "node:crypto";

/**
 * The same for the same input, settings (options, model, version) and place of the output, whoever submits
 * it. The place counts, since two files of the same bytes have an output each.
 */
export function jobId(input: string, settings: string, output: string): string {
  const hash = createHash("sha256").update([input, settings, output].join("\n"));
  return `f${hash.digest("hex").slice(0, 32)}`;
}
