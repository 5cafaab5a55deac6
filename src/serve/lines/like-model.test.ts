import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { makeSample } from "../../../samples/index.ts";
import { useFolder } from "../../../test/helpers/run-cli.ts";
import { exampleOf } from "./like-model.ts";
import { sendArray } from "./requests.ts";

const folder = useFolder();

test("an example is identified by its arrays, not by their files", async () => {
  const { mesh, skeleton } = makeSample("fish");
  const file = folder.at("positions.bin");
  const put = (positions: Float32Array) => writeFileSync(file, new Uint8Array(positions.buffer));
  const request = {
    mesh: { positions: { type: "f32", file }, triangles: sendArray(mesh.triangles) },
    skeleton: {
      names: skeleton.names,
      parents: sendArray(skeleton.parents),
      positions: sendArray(skeleton.positions),
    },
  };
  const print = async () => (await exampleOf(request, 0))[0].fingerprint;
  put(Float32Array.from(mesh.positions));
  const first = await print();
  expect(await print()).toBe(first);
  put(Float32Array.from(mesh.positions, (x) => 2 * x));
  expect(await print()).not.toBe(first);
  const ends = sendArray(skeleton.positions.map((x) => x + 0.1));
  const other = { ...request, skeleton: { ...request.skeleton, ends } };
  expect((await exampleOf(other, 0))[0].fingerprint).not.toBe(await print());
});
