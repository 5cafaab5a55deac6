import { type ExportRequest, exportFunction } from "../../compile/export-function.ts";
import { startJax } from "../../compile/jax.ts";
import type { ModelConfig } from "../../graph/model-config.ts";
import { VERTEX_MULTIPLE } from "../../learn/pad-graph.ts";
import {
  type CompiledStep,
  freshState,
  openStep,
  STEP_ENTRY,
  stepConfig,
  type TrainStep,
} from "../../learn/step.ts";
import { joinArrays } from "../../math/arrays.ts";
import { dropoutWidths, parameterSpecs } from "../../network/network.ts";
import { decayMask, initialParameters } from "../../network/parameters.ts";
import { SCALARS, STATE_NAMES } from "../../network/step-state.ts";
import {
  NO_TEACHERS,
  type Teaching,
  trainStepFunction,
  trainStepInputs,
} from "../../network/train-step-function.ts";
import { replaceParameters } from "../../onnx/replace-parameters.ts";
import type { SessionOptions } from "../../onnx/session.ts";
import { GpuFailure } from "../run/supervise.ts";

/** Optimizations for GPUs; on a CPU they would only cost memory. */
const FOR_GPU: Pick<ExportRequest, "splitSums" | "packed"> = {
  splitSums: { symbol: "V", parts: VERTEX_MULTIPLE },
  packed(inputs) {
    const scalars: readonly string[] = SCALARS;
    const resident = new Set<string>([...STATE_NAMES, "decay", "teachers", ...scalars]);
    const batch = inputs.map(({ name }) => name).filter((name) => !resident.has(name));
    return { batch, scalars: [...scalars] };
  },
};

/** Compiles a network's training step: forward, backward and optimizer in one graph. */
export async function compileStep(
  config: ModelConfig,
  forGpu: boolean,
  teaching: Teaching = NO_TEACHERS,
): Promise<CompiledStep> {
  await startJax();
  const specs = parameterSpecs(config);
  const inputs = trainStepInputs(config, specs, teaching);
  const fn = trainStepFunction(config, specs, teaching);
  const { model, reverseLists, packed } = exportFunction({ fn, inputs, ...(forGpu && FOR_GPU) });
  return { model, reverseLists, inputs, dropoutWidths: dropoutWidths(config), packed };
}

/** Networks to distill from. */
export interface Teachers {
  parameters: Float32Array[];
  /** Weight of their mean prediction in the labels, 0 to 1. */
  share: number;
}

/** Compiles a network's training step, opens it on a device and initializes its parameters. */
export async function createTrainStep(
  config: ModelConfig,
  {
    seed,
    teachers,
    ...options
  }: Pick<SessionOptions, "provider" | "threads"> & {
    seed: number;
    teachers?: Teachers | undefined;
  },
): Promise<TrainStep> {
  const teaching = teachers && { teachers: teachers.parameters.length, share: teachers.share };
  const compiled = await compileStep(config, options.provider !== "cpu", teaching);
  const specs = parameterSpecs(config);
  const fixed = {
    decay: decayMask(specs),
    ...(teachers && { teachers: joinArrays(Float32Array, teachers.parameters) }),
  };
  const opened = await openStep(compiled, fixed, options);
  opened.setState(freshState(initialParameters(specs, seed)));
  const step: TrainStep["step"] = (feeds, settings) =>
    opened.step(feeds, settings).catch((error: Error) => {
      throw opened.provider === "webgpu" ? gpuFailure(error) : error;
    });
  return { ...opened, step };
}

/** Wraps the unspecific error of a GPU; the usual cause is memory. */
export function gpuFailure({ message }: Error): GpuFailure {
  const said = message.split("\n")[0].replace(/\.$/, "");
  return new GpuFailure(
    `The GPU failed in a training step, probably for lack of memory (${said}); run the same command to resume from the last checkpoint, with fewer vertices per batch.`,
  );
}

/** Compiles a network's training step for CPUs into one file; see `readStep`. */
export async function storeStep(config: ModelConfig): Promise<Uint8Array> {
  const trained = stepConfig(config);
  const { model, ...facts } = await compileStep(trained, false);
  const parameters = parameterSpecs(trained).map(({ name, offset, size }) => ({
    name,
    offset,
    size,
  }));
  const text = JSON.stringify({ ...facts, config: trained, parameters });
  return replaceParameters(model, {}, { [STEP_ENTRY]: text });
}
