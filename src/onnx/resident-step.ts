import { writeOnnx } from "./onnx-writer.ts";
import type { DeviceTensor, FedTensor, HostTensor } from "./runtime.ts";
import { createSession, type Session, type SessionOptions, toHost } from "./session.ts";

/** Options for {@link createStepper}. */
export interface StepperOptions extends SessionOptions {
  /** For each output that is the next value of a state input: output name -> input name. */
  stateOutputs: Record<string, string>;
}

/** A graph that runs repeatedly on its own results, such as a training step. */
export interface Stepper {
  provider: Session["provider"];
  setState(state: Record<string, HostTensor>): void;
  getState(): Promise<Record<string, HostTensor>>;
  /** Runs one step; returns the outputs that are not state. */
  step(feeds: Record<string, FedTensor>): Promise<Record<string, HostTensor>>;
  dispose(): Promise<void>;
}

/**
 * Runs a graph step by step and keeps its state (parameters, moments) on the device.
 *
 * On WebGPU the state stays on the GPU between steps: each step's outputs are fed to the next one and the old
 * ones are freed. Steps must not overlap.
 */
export async function createStepper(model: Uint8Array, options: StepperOptions): Promise<Stepper> {
  const { stateOutputs } = options;
  const session = await createSession(model, {
    manyRuns: true,
    ...options,
    keepOnDevice: Object.keys(stateOutputs),
  });
  let state: Record<string, HostTensor | DeviceTensor> = {};
  const copiers = new Map<number, Session>();
  /** In Node a GPU tensor cannot be read (ONNX Runtime 1.30 aborts), but a graph can copy it. */
  const download = async (tensor: DeviceTensor): Promise<HostTensor> => {
    if (tensor.location !== "gpu-buffer") return toHost(tensor);
    const rank = tensor.dims.length;
    const copier =
      copiers.get(rank) ??
      (await createSession(copyModel(rank), { ...options, provider: session.provider }));
    copiers.set(rank, copier);
    const { copy } = await copier.runOnDevice({ original: tensor });
    return toHost(copy);
  };
  const release = () => Object.values(state).forEach(free);
  return {
    provider: session.provider,
    setState(given) {
      for (const [name, tensor] of Object.entries(given)) {
        if (state[name]) free(state[name]);
        state[name] = tensor;
      }
    },
    async getState() {
      const copies: Record<string, HostTensor> = {};
      for (const [name, tensor] of Object.entries(state)) {
        const host = "dtype" in tensor ? tensor : await download(tensor);
        copies[name] = { ...host, data: host.data.slice() };
      }
      return copies;
    },
    async step(feeds) {
      for (const name of Object.values(stateOutputs)) {
        if (!state[name]) throw new Error(`Stepper.step: the state "${name}" has not been set.`);
      }
      const results = await session.runOnDevice({ ...feeds, ...state });
      const scalars: Record<string, HostTensor> = {};
      const next = { ...state };
      for (const [name, tensor] of Object.entries(results)) {
        const target = stateOutputs[name];
        if (target === undefined) scalars[name] = await toHost(tensor);
        else {
          free(state[target]);
          next[target] = tensor;
        }
      }
      state = next;
      return scalars;
    },
    async dispose() {
      release();
      state = {};
      for (const copier of copiers.values()) await copier.dispose();
      await session.dispose();
    },
  };
}

function copyModel(rank: number): Uint8Array {
  const shape = Array.from({ length: rank }, (_, axis) => `N${axis}`);
  return writeOnnx({
    nodes: [{ op: "Identity", inputs: ["original"], outputs: ["copy"], attributes: {} }],
    initializers: [],
    inputs: [{ name: "original", type: "float32", shape }],
    outputs: [{ name: "copy", type: "float32", shape }],
    metadata: {},
  });
}

/** Frees GPU memory immediately, rather than when the garbage collector runs. */
function free(tensor: HostTensor | DeviceTensor): void {
  if (!("dtype" in tensor) && tensor.location === "gpu-buffer") tensor.dispose();
}
