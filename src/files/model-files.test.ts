import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { useFolder } from "../../test/helpers/run-cli.ts";
import { loadModel } from "./model-files.ts";

const folder = useFolder();

test("a model is the same array while its file is unchanged, and another after a change", async () => {
  const file = folder.at("model.onnx");
  writeFileSync(file, "first");
  const first = await loadModel("network", file);
  expect(await loadModel("network", file)).toBe(first);
  writeFileSync(file, "the second");
  const second = (await loadModel("network", file))!;
  expect(Buffer.from(second).toString()).toBe("the second");
});
