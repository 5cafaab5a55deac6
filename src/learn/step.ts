import type { ExportedGraph } from "../compile/export-function.ts";
import { type InputGroups, packFeeds } from "../compile/pack-inputs.ts";
import { reverseList } from "../compile/reverse-list.ts";
import type { FeedArray, InputSpec } from "../graph/graph-feeds.ts";
import type { ModelConfig } from "../graph/model-config.ts";
import { FEW, roundSize } from "../math/arrays.ts";
import { power } from "../math/power.ts";
import { BETA1, BETA2, renewed, STATE_NAMES } from "../network/step-state.ts";
import { readOnnx, requireMetadata } from "../onnx/onnx-reader.ts";
import { createStepper } from "../onnx/resident-step.ts";
import {
  type FedTensor,
  floatTensor,
  type HostTensor,
  hostTensor,
  scalarTensor,
} from "../onnx/runtime.ts";
import type { SessionOptions } from "../onnx/session.ts";
import type { BatchFeeds } from "./batch-feeds.ts";

/** Parameters, moments and averaged parameters as flat vectors. */
export type TrainState = Record<(typeof STATE_NAMES)[number], Float32Array>;

/** Scalars that change between steps. */
export interface StepSettings {
  learningRate: number;
  weightDecay: number;
  /** Counts from 1. */
  step: number;
  /** Window of the averaged parameters, in steps. */
  averageSteps: number;
}

/** Facts of a step that batches depend on. */
export interface StepFacts {
  reverseLists: ReverseSpec;
  inputs: Record<string, InputSpec>;
  dropoutWidths: Record<string, number>;
  /** Inputs transferred together; see `packFeeds`. */
  packed: InputGroups;
}

/** A compiled training step. */
export interface CompiledStep extends StepFacts {
  model: Uint8Array;
}

/** A network in training, whose state stays on the device. */
export interface TrainStep extends StepFacts {
  provider: string;
  /** Runs one step on a batch with its reverse lists, packed or not. */
  step(
    feeds: Record<string, FedTensor>,
    settings: StepSettings,
  ): Promise<{ loss: number; norm: number }>;
  getState(): Promise<TrainState>;
  setState(state: TrainState): void;
  dispose(): Promise<void>;
}

/**
 * Opens a compiled step on a device; call `setState` before the first step.
 *
 * @param fixed constant inputs: 1 per parameter with weight decay, and the parameters of teachers,
 *   concatenated
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

/** Returns the initial state for these parameters, with zero moments. */
export function freshState(parameters: Float32Array): TrainState {
  const zeros = new Float32Array(parameters.length);
  return { parameters, first: zeros, second: zeros, average: parameters };
}

export function stepScalars(settings: StepSettings): Record<string, HostTensor> {
  const { step, averageSteps } = settings;
  // Early on, the window is the number of steps so far, so that the average forgets the start.
  const averageRate = 1 / Math.min(averageSteps, 1 + step / 4);
  return {
    learningRate: scalarTensor(settings.learningRate),
    weightDecay: scalarTensor(settings.weightDecay),
    firstCorrection: scalarTensor(1 / (1 - power(BETA1, step))),
    secondCorrection: scalarTensor(1 / (1 - power(BETA2, step))),
    averageRate: scalarTensor(averageRate),
  };
}

/** Metadata key of a stored step. */
export const STEP_ENTRY = "step";

/** Where a parameter lies in the flat vector of a step. */
export interface ParameterSlot {
  name: string;
  offset: number;
  size: number;
}

/** A training step stored as a file, for programs without the compiler. */
export interface StoredStep extends CompiledStep {
  /** The network's configuration, see {@link stepConfig}. */
  config: ModelConfig;
  parameters: ParameterSlot[];
}

/** Returns the part of a network's configuration that affects a training step. */
export function stepConfig({ temperature: _, heat: __, ...config }: ModelConfig): ModelConfig {
  return config;
}

/** Reads the output of `storeStep`. */
export function readStep(bytes: Uint8Array): StoredStep {
  const facts: Omit<StoredStep, "model"> = JSON.parse(requireMetadata(readOnnx(bytes), STEP_ENTRY));
  return { ...facts, model: bytes };
}

/** Reverse lists required by a training step. */
export type ReverseSpec = ExportedGraph["reverseLists"];

/**
 * Inverts the index lists of a batch for the backward pass.
 *
 * @param inputs shapes of the step's inputs, which define the symbolic sizes
 */
export function reverseFeeds(
  { feeds, valid }: BatchFeeds,
  specs: ReverseSpec,
  inputs: Record<string, { shape: (number | string)[] }>,
): Record<string, FeedArray> {
  const sizes: Record<string, number> = {};
  for (const [name, { dims }] of Object.entries(feeds)) {
    inputs[name]?.shape.forEach((side, axis) => {
      if (typeof side === "string") sizes[side] = dims[axis];
    });
  }
  return Object.fromEntries(
    specs.map(({ name, of, rows }) => {
      const count = evaluateSize(rows, sizes);
      const list = feeds[of].data as Int32Array;
      const round = (degree: number) => roundSize(degree, FEW);
      const { data, degree } = reverseList(list, count, valid[of], round);
      return [name, { dims: [count, degree], data }];
    }),
  );
}

/** Evaluates a size such as 7, `V` or `12*V`. */
function evaluateSize(size: number | string, sizes: Record<string, number>): number {
  const factors = String(size).split("*");
  return factors.reduce((product, factor) => product * (sizes[factor] ?? Number(factor)), 1);
}

/** Returns the feeds of a training step: the batch with its reverse lists, packed. */
export function stepFeeds(
  batch: BatchFeeds,
  step: Pick<StepFacts, "reverseLists" | "inputs" | "packed">,
): Record<string, FedTensor> {
  const feeds = { ...batch.feeds, ...reverseFeeds(batch, step.reverseLists, step.inputs) };
  const tensors = Object.entries(feeds).map(
    ([name, { dims, data }]) => [name, hostTensor(data, dims)] as const,
  );
  return packFeeds(Object.fromEntries(tensors), step.packed);
}
