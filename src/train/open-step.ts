import type { InputGroups } from "../compile/pack-inputs.ts";
import { packFeeds } from "../compile/pack-inputs.ts";
import type { InputSpec } from "../graph/graph-feeds.ts";
import { BETA1, BETA2, renewed, STATE_NAMES } from "../network/step-state.ts";
import { type FedTensor, floatTensor, type HostTensor, scalarTensor } from "../onnx/host-tensor.ts";
import { createStepper } from "../onnx/resident-step.ts";
import type { SessionOptions } from "../onnx/session.ts";
import type { ReverseSpec } from "./reverse-feeds.ts";

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

/** What batches need to know of a step. */
export interface StepFacts {
  reverseLists: ReverseSpec;
  inputs: Record<string, InputSpec>;
  dropoutWidths: Record<string, number>;
  /** Inputs that travel together to the device; see `packFeeds`. */
  packed: InputGroups;
}

/** A training step as a graph, ready to be opened anywhere. */
export interface CompiledStep extends StepFacts {
  model: Uint8Array;
}

/** A network in training: its state stays where the graph runs. */
export interface TrainStep extends StepFacts {
  provider: string;
  /** Runs one step on the arrays of a batch, reverse lists among them, packed or not. */
  step(
    feeds: Record<string, FedTensor>,
    settings: StepSettings,
  ): Promise<{ loss: number; norm: number }>;
  getState(): Promise<TrainState>;
  setState(state: TrainState): void;
  dispose(): Promise<void>;
}

/**
 * Opens a compiled step on a device; it has no values until `setState`.
 *
 * @param fixed what stays as it is from step to step: per parameter, 1 where weight decay applies, and the
 *   parameters of teachers end to end, where there are any
 */
export async function openStep(
  compiled: CompiledStep,
  fixed: { decay: Float32Array; teachers?: Float32Array },
  options: SessionOptions,
): Promise<TrainStep> {
  const { model, ...facts } = compiled;
  const stepper = await createStepper(model, {
    ...options,
    stateOutputs: Object.fromEntries(STATE_NAMES.map((name) => [renewed(name), name])),
  });
  const vector = (data: Float32Array): HostTensor => floatTensor(data, [data.length]);
  stepper.setState(
    Object.fromEntries(Object.entries(fixed).map(([name, data]) => [name, vector(data)])),
  );
  return {
    ...facts,
    provider: stepper.provider,
    setState(state) {
      stepper.setState(Object.fromEntries(STATE_NAMES.map((name) => [name, vector(state[name])])));
    },
    async getState() {
      const state = await stepper.getState();
      return Object.fromEntries(
        STATE_NAMES.map((name) => [name, state[name].data as Float32Array]),
      ) as TrainState;
    },
    async step(feeds, settings) {
      const all = packFeeds({ ...feeds, ...stepScalars(settings) }, facts.packed);
      const { loss, norm } = await stepper.step(all);
      return { loss: loss.data[0], norm: norm.data[0] };
    },
    dispose: () => stepper.dispose(),
  };
}

/** The state training starts from: these parameters, and nothing known of their gradients. */
export function freshState(parameters: Float32Array): TrainState {
  const zeros = new Float32Array(parameters.length);
  return { parameters, first: zeros, second: zeros, average: parameters };
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
