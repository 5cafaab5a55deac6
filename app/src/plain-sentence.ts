/** Words that belong to a terminal, or to a parser's own complaint. */
const TERMINAL = /(?:^|[\s(])--[a-z]|\bheterskin [a-z]+\b/;
const PARSER =
  /Unexpected (?:token|end|identifier)|in JSON at position|is not valid JSON|Cannot read propert|is not a function|undefined \(/;

const NEIGHBOR = /^([^:]+): buffer \d+ \("(.+)"\) was not found beside the file\.$/;

/**
 * A sentence for visitors: advice for the terminal is left out, what a parser said becomes plain,
 * and a file that is missing beside another is asked for.
 */
export function plainSentence(sentence: string): string {
  if (PARSER.test(sentence)) {
    const file = /^([^:]+\.\w+):/.exec(sentence)?.[1];
    return `${file ?? "The file"} could not be read: it is damaged, or not what its name says.`;
  }
  // A browser sees no file but those it was given.
  const [, whole, part] = NEIGHBOR.exec(sentence) ?? [];
  if (part) return `${whole} needs ${part}: drop or choose both together.`;
  const clauses = sentence.replace(/\.$/, "").split("; ");
  const kept = clauses.filter((clause) => !TERMINAL.test(clause));
  if (kept.length === clauses.length) return sentence;
  return `${kept.length > 0 ? kept.join("; ") : "That is not possible here"}.`;
}
