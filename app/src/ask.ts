/** Asks the visitor to choose; the value of the button, or nothing for the last one, which is `refusal`. */
export type Ask = (
  question: string,
  choices: { value: string; text: string }[],
  refusal?: string,
) => Promise<string | undefined>;
