/** A network that this project trains. */
export interface KnownModel {
  /** File name in the folder of models. */
  file: string;
  /** Whether `skin` offers it as a method; the others can only be evaluated, or passed as a model. */
  isMethod: boolean;
  /** Whether it is a network of the literature and runs as published, without what `loadMethod` adds. */
  isPublished: boolean;
}

/** Every network by the name that users type: the default, the paper's, its rivals and its ablations. */
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

/** The default network. */
export const DEFAULT_NETWORK = "network" as const;

/** Method names of earlier versions. */
const FORMER_NAMES: Readonly<Record<string, string>> = { heterskinnet: "network" };

/** Returns the current name of a method that may be given by its former name. */
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

/** Name of the training step of the default network, a file in the folder of models. */
export const ADAPT_STEP = "heterskin-adapt";
