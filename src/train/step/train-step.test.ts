import { expect, test } from "vitest";
import { InputError } from "../../input-error.ts";
import { gpuFailure } from "./train-step.ts";

test("a GPU failure becomes one sentence with a remedy", () => {
  const failure = gpuFailure(
    new Error("WebGPU validation failed. [Invalid Buffer] is invalid.\n - While validating\n - x"),
  );
  expect(failure).toBeInstanceOf(InputError);
  expect(failure.message).not.toContain("\n");
  expect(failure.message).toContain("[Invalid Buffer] is invalid);");
  expect(failure.message).toContain("fewer vertices per batch");
});
