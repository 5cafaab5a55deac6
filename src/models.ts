/** A network this project trains. */
export interface KnownModel {
  /** Its file's name in the folder of models. */
  file: string;
  /** Whether `skin` knows it as a method; the others are only evaluated, or given as a model. */
  isMethod: boolean;
  /** Whether it is a network of the literature, run as it was published; ours have what `loadMethod` adds. */
  isPublished: boolean;
}

/** Every network by the name users type: the default, the paper's, its rivals and its ablations. */
export const MODELS: Readonly<Record<string, KnownModel>> = {
  network: { file: "heterskin.onnx", isMethod: true, isPublished: false },
  permissive: { file: "heterskin-permissive.onnx", isMethod: false, isPublished: false },
  paper: { file: "paper.onnx", isMethod: true, isPublished: true },
  ...Object.fromEntries(
    ["rignet", "neuroskinning", "paper-euclid", "paper-without-inter", "paper-without-smooth"].map(
      (name) => [name, { file: `${name}.onnx`, isMethod: false, isPublished: true }],
    ),
  ),
};

/** The network users get who name none. */
export const DEFAULT_NETWORK = "network";

/** Names that methods had in earlier versions. */
const FORMER_NAMES: Readonly<Record<string, string>> = { heterskinnet: "network" };

/** The current name of a method, which may be given by its former name. */
export function methodName(name: string): string {
  return Object.hasOwn(FORMER_NAMES, name) ? FORMER_NAMES[name] : name;
}

/** Whether a name stands for a network, which needs a model. */
export function isNetwork(name: string): boolean {
  return Object.hasOwn(MODELS, methodName(name));
}

/** Names of the networks that are methods of `skin`. */
export const NETWORK_METHODS: readonly string[] = Object.keys(MODELS).filter(
  (name) => MODELS[name].isMethod,
);

/** The training step of the default network, a file of its own beside the models. */
export const ADAPT_STEP = "heterskin-adapt";
