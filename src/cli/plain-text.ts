/** A text without what a terminal would obey: names from files may hold anything. Line ends and tabs stay. */
export function plainText(text: string): string {
  return text.replace(/(?![\n\t])[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, "\ufffd");
}
