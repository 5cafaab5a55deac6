// Weights in the style of characters one has: a model learns from them.

export {
  ADAPT_DEFAULTS,
  type AdaptedModel,
  type AdaptOptions,
  adapt,
  MOST_EXAMPLES,
} from "./adapt.ts";
export { type AdaptNotes, readNotes } from "./adapt-notes.ts";
export { modelFor } from "./model-for.ts";
