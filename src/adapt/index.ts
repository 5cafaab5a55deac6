// Adapts a model to the style of given characters.

export { type AdaptedModel, type AdaptOptions, adapt } from "./adapt.ts";
export { ADAPT_DEFAULTS, type AdaptNotes, MAX_EXAMPLES, readNotes } from "./adapt-notes.ts";
export { modelFor } from "./model-parameters.ts";
