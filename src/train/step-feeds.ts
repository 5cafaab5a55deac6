import { packFeeds } from "../compile/pack-inputs.ts";
import { type FedTensor, hostTensor } from "../onnx/host-tensor.ts";
import type { BatchFeeds } from "./batch-feeds.ts";
import type { StepFacts } from "./open-step.ts";
import { reverseFeeds } from "./reverse-feeds.ts";

/** A batch as a training step takes it: with its reverse lists, and packed as the step asks. */
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
