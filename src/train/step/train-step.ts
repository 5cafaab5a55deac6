import { type ExportRequest, exportFunction } from "../../compile/export-function.ts";
import { startJax } from "../../compile/jax.ts";
import type { ModelConfig } from "../../graph/model-config.ts";
import { VERTEX_MULTIPLE } from "../../learn/pad-graph.ts";
import { type CompiledStep, freshState, openStep, type TrainStep } from "../../learn/step.ts";
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
import type { SessionOptions } from "../../onnx/session.ts";
import { GpuFailure } from "../run/supervise.ts";

/** Options that speed up a GPU; on a CPU they only cost memory. */
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

/** Teachers for distillation. */
export interface Teachers {
  /** Parameters of each teacher, from `readParameters`. */
  parameters: Float32Array[];
  /** Weight of their mean prediction in the labels, 0 to 1. */
  share: number;
}

/** Compiles a network's training step, opens it on a device and initializes it. */
export async function createTrainStep(
  config: ModelConfig,
  settings: Pick<SessionOptions, "provider" | "threads"> & {
    seed: number;
    teachers?: Teachers | undefined;
  },
): Promise<TrainStep> {
  const { seed, teachers, ...options } = settings;
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

/** Shortens a GPU error, whose cause is nearly always a lack of memory. */
export function gpuFailure({ message }: Error): GpuFailure {
  const first = message.split("\n")[0].replace(/\.$/, "");
  return new GpuFailure(
    `The GPU failed in a training step, probably for lack of memory (${first}); run it again to resume from the last checkpoint; fewer vertices per batch need less memory.`,
  );
}
