/** How `adapt` learns when nobody says; docs/like.md has what was tried. */
export const ADAPT_DEFAULTS = {
  steps: 40,
  learningRate: 6e-4,
  batchVertices: 500,
  variants: 3,
  seed: 1,
};

/** Most characters that are learned from at once. */
export const MOST_EXAMPLES = 16;
