/** The samples that `end-to-end.test.ts` skips. */
import { SAMPLES } from "../samples/index.ts";
import { testBoundSamples } from "./helpers/bind-samples.ts";
import { useFolder } from "./helpers/run-cli.ts";
import { FEW_SAMPLES } from "./helpers/small-sample.ts";

testBoundSamples(
  SAMPLES.map(({ name }) => name).filter((name) => !FEW_SAMPLES.includes(name)),
  useFolder(),
);
