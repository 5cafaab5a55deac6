/** Words of a parser's own error. */
const PARSER =
  /Unexpected (?:token|end|identifier)|in JSON at position|is not valid JSON|Cannot read propert|is not a function|undefined \(/;

/** A text that is no rig, whatever its reader missed in it. */
const NO_RIG = /^([^:]+\.txt): .*(?:no line|RigNet)/;
const NO_CHARACTER = /^None of these files is a character; use one of (.+)$/;
const NEIGHBOR = /^([^:]+): buffer \d+ \("(.+)"\) was not found next to the file\.$/;

/**
 * A sentence for visitors: errors of parsers become plain, and a file that another one needs is asked for.
 */
export function plainSentence(sentence: string): string {
  if (PARSER.test(sentence)) {
    const file = /^([^:]+\.\w+):/.exec(sentence)?.[1];
    return `${file ?? "The file"} could not be read: it is damaged, or not what its name says.`;
  }
  const [, text] = NO_RIG.exec(sentence) ?? [];
  if (text)
    return `${text} is not a skeleton that this page knows: of texts it reads those of RigNet.`;
  const [, others] = NO_CHARACTER.exec(sentence) ?? [];
  if (others) return `There is no character in what you gave; the page opens ${others}`;
  // A browser sees no file but those it was given.
  const [, main, part] = NEIGHBOR.exec(sentence) ?? [];
  if (part) return `${main} needs ${part}: drop or choose both together.`;
  return sentence;
}
