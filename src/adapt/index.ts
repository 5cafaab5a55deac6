// Weights in the style of characters one has: a model learns from them.

export {
  type AdaptedModel,
  type AdaptOptions,
  adapt,
} from "./adapt.ts";
export { ADAPT_DEFAULTS, type AdaptNotes, MOST_EXAMPLES, readNotes } from "./adapt-notes.ts";
export { modelFor } from "./model-for.ts";
