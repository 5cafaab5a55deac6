/** Names and titles of the characters that are generated on demand, without the code that generates them. */
export const SAMPLE_TITLES = {
  dancer: "Dancer with a skirt and braids",
  fox: "Fox on four legs",
  bird: "Bird with spread wings",
  dragon: "Dragon with wings of skin",
  octopus: "Octopus with eight tentacles",
  mushroom: "Mushroom with a floating ball",
  robot: "Robot of rigid parts",
  fish: "Fish with fins",
} as const;

/** The name of a generated character. */
export type SampleName = keyof typeof SAMPLE_TITLES;
