/** Asks the visitor to choose; the value of the button, or nothing. */
export type Ask = (
  question: string,
  choices: { value: string; text: string }[],
) => Promise<string | undefined>;
