import { type ExportRequest, exportFunction } from "../compile/export-function.ts";
import { startJax } from "../compile/jax.ts";
import { type InputGroups, packFeeds } from "../compile/pack-inputs.ts";
import type { InputSpec } from "../graph/graph-feeds.ts";
import type { ModelConfig } from "../graph/model-config.ts";
import { BETA1, BETA2 } from "../network/adam-w.ts";
import { dropoutWidths } from "../network/network.ts";
import { parameterSpecs } from "../network/parameter-specs.ts";
import { decayMask, initialParameters } from "../network/parameters.ts";
import {
  renewed,
  SCALARS,
  STATE_NAMES,
  trainStepFunction,
  trainStepInputs,
} from "../network/train-step-function.ts";
import { type FedTensor, floatTensor, type HostTensor, scalarTensor } from "../onnx/host-tensor.ts";
import { createStepper } from "../onnx/resident-step.ts";
import type { SessionOptions } from "../onnx/session.ts";
import { VERTEX_MULTIPLE } from "./pad-graph.ts";
import type { ReverseSpec } from "./reverse-feeds.ts";
import { GpuFailure } from "./supervise.ts";

/** Parameters, moments and averaged parameters, each one flat vector. */
export type TrainState = Record<(typeof STATE_NAMES)[number], Float32Array>;

/** Numbers that change from step to step. */
export interface StepSettings {
  learningRate: number;
  weightDecay: number;
  /** Counts from 1. */
  step: number;
  /** Steps the averaged parameters look back over. */
  averageSteps: number;
}

/** A network in training: its state stays where the graph runs. */
export interface TrainStep {
  provider: string;
  /** What batches need to know of the step. */
  reverseLists: ReverseSpec;
  inputs: Record<string, InputSpec>;
  dropoutWidths: Record<string, number>;
  /** Inputs that travel together to the device; see `packFeeds`. */
  packed: InputGroups;
  /** Runs one step on the arrays of a batch, reverse lists among them, packed or not. */
  step(
    feeds: Record<string, FedTensor>,
    settings: StepSettings,
  ): Promise<{ loss: number; norm: number }>;
  getState(): Promise<TrainState>;
  setState(state: TrainState): void;
  dispose(): Promise<void>;
}

/** What lets a GPU work at its pace; a processor is busy anyway, and there it would only cost memory. */
const FOR_GPU: Pick<ExportRequest, "splitSums" | "packed"> = {
  splitSums: { symbol: "V", parts: VERTEX_MULTIPLE },
  packed(inputs) {
    const scalars: readonly string[] = SCALARS;
    const resident = new Set<string>([...STATE_NAMES, "decay", ...scalars]);
    const batch = inputs.map(({ name }) => name).filter((name) => !resident.has(name));
    return { batch, scalars: [...scalars] };
  },
};

/** Traces a network's training step, opens it on a device and gives it starting values. */
export async function createTrainStep(
  config: ModelConfig,
  options: Pick<SessionOptions, "provider" | "threads"> & { seed: number },
): Promise<TrainStep> {
  await startJax();
  const specs = parameterSpecs(config);
  const inputs = trainStepInputs(config, specs);
  const exported = exportFunction({
    fn: trainStepFunction(config, specs),
    inputs,
    ...(options.provider !== "cpu" && FOR_GPU),
  });
  const stepper = await createStepper(exported.model, {
    ...(options.provider && { provider: options.provider }),
    ...(options.threads && { threads: options.threads }),
    stateOutputs: Object.fromEntries(STATE_NAMES.map((name) => [renewed(name), name])),
  });
  const vector = (data: Float32Array): HostTensor => floatTensor(data, [data.length]);
  const setState = (state: TrainState): void => {
    stepper.setState(Object.fromEntries(STATE_NAMES.map((name) => [name, vector(state[name])])));
  };
  const start = initialParameters(specs, options.seed);
  const zeros = new Float32Array(start.length);
  setState({ parameters: start, first: zeros, second: zeros, average: start });
  stepper.setState({ decay: vector(decayMask(specs)) });
  return {
    provider: stepper.provider,
    reverseLists: exported.reverseLists,
    inputs,
    dropoutWidths: dropoutWidths(config),
    packed: exported.packed,
    setState,
    async getState() {
      const state = await stepper.getState();
      return Object.fromEntries(
        STATE_NAMES.map((name) => [name, state[name].data as Float32Array]),
      ) as TrainState;
    },
    async step(feeds, settings) {
      const all = packFeeds({ ...feeds, ...stepScalars(settings) }, exported.packed);
      const { loss, norm } = await stepper.step(all).catch((error: Error) => {
        throw stepper.provider === "webgpu" ? gpuFailure(error) : error;
      });
      return { loss: loss.data[0], norm: norm.data[0] };
    },
    dispose: () => stepper.dispose(),
  };
}

/** A GPU that gives up says so in many words and no cause; nearly always it is memory. */
export function gpuFailure({ message }: Error): GpuFailure {
  const said = message.split("\n")[0].replace(/\.$/, "");
  return new GpuFailure(
    `The GPU gave up in a training step, probably for want of memory (${said}); the same command goes on from the last checkpoint, another run with fewer --batch-vertices needs less.`,
  );
}

/** The scalar inputs of a step. */
export function stepScalars(settings: StepSettings): Record<string, HostTensor> {
  const { step, averageSteps } = settings;
  // Early on the average looks back over the steps there are, so it never holds on to the start.
  const averageRate = 1 / Math.min(averageSteps, 1 + step / 4);
  return {
    learningRate: scalarTensor(settings.learningRate),
    weightDecay: scalarTensor(settings.weightDecay),
    firstCorrection: scalarTensor(1 / (1 - BETA1 ** step)),
    secondCorrection: scalarTensor(1 / (1 - BETA2 ** step)),
    averageRate: scalarTensor(averageRate),
  };
}
