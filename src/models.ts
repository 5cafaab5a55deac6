/** A network this project trains. */
export interface KnownModel {
  /** Its file's name in the folder of models. */
  file: string;
  /** Whether `skin` knows it as a method; the others are rivals and ablations that are only evaluated. */
  isMethod: boolean;
}

/** Every network by the name users type: the default, the paper's, its rivals and its ablations. */
export const MODELS: Readonly<Record<string, KnownModel>> = {
  heterskinnet: { file: "heterskin.onnx", isMethod: true },
  paper: { file: "paper.onnx", isMethod: true },
  rignet: { file: "rignet.onnx", isMethod: false },
  neuroskinning: { file: "neuroskinning.onnx", isMethod: false },
  "paper-euclid": { file: "paper-euclid.onnx", isMethod: false },
  "paper-without-inter": { file: "paper-without-inter.onnx", isMethod: false },
  "paper-without-smooth": { file: "paper-without-smooth.onnx", isMethod: false },
};

/** The network users get who name none. */
export const DEFAULT_NETWORK = "heterskinnet";

/** Whether a name stands for a network, which needs a model. */
export function isNetwork(name: string): boolean {
  return Object.hasOwn(MODELS, name);
}

/** Names of the networks that are methods of `skin`. */
export const NETWORK_METHODS: readonly string[] = Object.keys(MODELS).filter(
  (name) => MODELS[name].isMethod,
);

/** The training step of the default network, a file of its own beside the models. */
export const ADAPT_STEP = "heterskin-adapt";
