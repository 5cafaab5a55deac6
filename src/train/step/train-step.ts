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

/** What lets a GPU work at its pace; a processor is busy anyway, and there it would only cost memory. */
const FOR_GPU: Pick<ExportRequest, "splitSums" | "packed"> = {
  splitSums: { symbol: "V", parts: VERTEX_MULTIPLE },
  packed(inputs) {
    const scalars: readonly string[] = SCALARS;
    const resident = new Set<string>([...STATE_NAMES, "decay", "teachers", ...scalars]);
    const batch = inputs.map(({ name }) => name).filter((name) => !resident.has(name));
    return { batch, scalars: [...scalars] };
  },
};

/** Traces a network's training step: forward, backward and optimizer in one graph. */
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

/** What a network learns from beside the artists. */
export interface Teachers {
  /** Of each teacher, its parameters as `readParameters` gives them. */
  parameters: Float32Array[];
  /** What their common answer counts in the labels, 0 to 1. */
  share: number;
}

/** Compiles a network's training step, opens it on a device and gives it starting values. */
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

/** A GPU that gives up says so in many words and no cause; nearly always it is memory. */
export function gpuFailure({ message }: Error): GpuFailure {
  const said = message.split("\n")[0].replace(/\.$/, "");
  return new GpuFailure(
    `The GPU gave up in a training step, probably for want of memory (${said}); the same command continues from the last checkpoint; fewer vertices per batch need less memory.`,
  );
}
