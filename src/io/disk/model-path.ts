import { fileURLToPath } from "node:url";
import { isNetwork, MODELS } from "../../models.ts";

/** The folder of models. */
const MODEL_FOLDER = new URL(
  import.meta.url.includes("/dist/src/") ? "../../../../models/" : "../../../models/",
  import.meta.url,
);

/** Where the package keeps the model of a network, whether it ships one or not. */
export function modelPath(network: string): string {
  const file = isNetwork(network) ? MODELS[network].file : `${network}.onnx`;
  return fileURLToPath(new URL(file, MODEL_FOLDER));
}
