/** Names and titles of the characters that code makes when they are asked for, without that code. */
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

/** The name of a character made by code. */
export type SampleName = keyof typeof SAMPLE_TITLES;
