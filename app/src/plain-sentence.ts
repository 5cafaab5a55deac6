/** Typical words of internal parser errors. */
const PARSER =
  /Unexpected (?:token|end|identifier)|in JSON at position|is not valid JSON|Cannot read propert|is not a function|undefined \(/;

/** Error of the parser for a text that is not a rig. */
const NO_RIG = /^([^:]+\.txt): .*(?:no line|RigNet)/;
const NO_CHARACTER = /^None of these files is a character; use one of (.+)$/;
const NEIGHBOR = /^([^:]+): buffer \d+ \("(.+)"\) was not found next to the file\.$/;

/**
 * Turns an error into a sentence for visitors: parser errors become plain, and a missing second file is named.
 */
export function plainSentence(sentence: string): string {
  if (PARSER.test(sentence)) {
    const file = /^([^:]+\.\w+):/.exec(sentence)?.[1];
    return `${file ?? "The file"} could not be read: it is damaged, or its content does not match its name.`;
  }
  const [, text] = NO_RIG.exec(sentence) ?? [];
  if (text)
    return `${text} is not a skeleton that this page can read; text files must be in the format of RigNet.`;
  const [, others] = NO_CHARACTER.exec(sentence) ?? [];
  if (others) return `None of these files is a character; the page opens ${others}`;
  // The browser can read only the files it was given.
  const [, main, part] = NEIGHBOR.exec(sentence) ?? [];
  if (part) return `${main} needs ${part}: drop or choose both together.`;
  return sentence;
}
