/** Words of a parser's own error. */
const PARSER =
  /Unexpected (?:token|end|identifier)|in JSON at position|is not valid JSON|Cannot read propert|is not a function|undefined \(/;

const NEIGHBOR = /^([^:]+): buffer \d+ \("(.+)"\) was not found next to the file\.$/;

/**
 * A sentence for visitors: errors of parsers become plain, and a file that another one needs is asked for.
 */
export function plainSentence(sentence: string): string {
  if (PARSER.test(sentence)) {
    const file = /^([^:]+\.\w+):/.exec(sentence)?.[1];
    return `${file ?? "The file"} could not be read: it is damaged, or not what its name says.`;
  }
  // A browser sees no file but those it was given.
  const [, main, part] = NEIGHBOR.exec(sentence) ?? [];
  if (part) return `${main} needs ${part}: drop or choose both together.`;
  return sentence;
}
