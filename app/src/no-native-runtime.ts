/** Stands in for onnxruntime-node, which a page never loads. */
export const InferenceSession = undefined;
