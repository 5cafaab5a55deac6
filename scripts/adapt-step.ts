/**
 * Compiles the training step of the default model into models/heterskin-adapt.onnx, so that `--like` needs
 * no compiler:
 *
 *     npm run adapt-step
 *
 * Run it when the configuration of the default network changes; other parameters work with the same step.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { configOf } from "../src/adapt/model-parameters.ts";
import { modelPath } from "../src/disk/character-files.ts";
import { ADAPT_STEP, DEFAULT_NETWORK } from "../src/models.ts";
import { storeStep } from "../src/train/step/store-step.ts";

const step = await storeStep(configOf(readFileSync(modelPath(DEFAULT_NETWORK))));
writeFileSync(modelPath(ADAPT_STEP), step);
console.log(`${modelPath(ADAPT_STEP)}: ${step.length} bytes`);
