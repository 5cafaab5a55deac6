/** Asks the visitor to choose. Resolves to the value of the button, or undefined for the last one, `refusal`. */
export type Ask = (
  question: string,
  choices: { value: string; text: string }[],
  refusal?: string,
) => Promise<string | undefined>;
