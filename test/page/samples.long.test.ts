/** The samples that `page.test.ts` skips. */
import type { Page } from "playwright-core";
import { SAMPLES } from "../../samples/index.ts";
import { testPageSamples } from "../helpers/page-samples.ts";
import { FEW_SAMPLES } from "../helpers/small-sample.ts";
import { usePage } from "../helpers/use-page.ts";

let page: Page;
usePage((opened) => {
  page = opened;
});

testPageSamples(
  SAMPLES.map(({ name }) => name).filter((name) => !FEW_SAMPLES.includes(name)),
  () => page,
);
