import { describe, expect, test } from "vitest";
import { DAE } from "../../../test/helpers/dae-sample.ts";
import { dense, randomWeights } from "../../../test/helpers/random-weights.ts";
import { readCharacter } from "../read-character.ts";
import { writeCharacter } from "../write-character.ts";

const encode = (text: string) => new TextEncoder().encode(text);
const read = (bytes: Uint8Array) => readCharacter({ name: "square.dae", bytes });
const SKIN = /<source id="jn">[\s\S]*<\/vertex_weights>/;

/** The sample without a controller; its mesh is moved, and its geometry is instanced directly. */
const BARE = DAE.replace(/<library_controllers>[\s\S]*<\/library_controllers>\s*/, "")
  .replace("<instance_controller url", "<translate>0 0 3</translate><instance_geometry url")
  .replace("#ctl", "#sq")
  .replace("<skeleton>#n-hip</skeleton>", "")
  .replace("</instance_controller>", "</instance_geometry>");

/** Random weights written to the file and read back. */
async function bound(text: string, seed: string) {
  const file = await read(encode(text));
  const J = file.character.skeleton.names.length;
  const weights = randomWeights(file.character, seed);
  const { bytes } = writeCharacter(file, weights, { format: "dae", maxInfluences: 8 });
  const again = await read(bytes);
  expect(again.character.skeleton.names).toEqual(file.character.skeleton.names);
  expect(again.character.mesh.positions).toBeAllClose(file.character.mesh.positions, 1e-5);
  expect(again.character.skeleton.positions).toBeAllClose(file.character.skeleton.positions, 1e-5);
  expect(dense(again.character.weights!, J).flat()).toBeAllClose(dense(weights, J).flat(), 1e-5);
  return new TextDecoder().decode(bytes);
}

describe("COLLADA stays COLLADA", () => {
  test.each(["a", "b", "c"])(
    "a skin receives new weights, the rest stays (seed %s)",
    async (seed) => {
      const written = await bound(DAE, seed);
      expect(written).not.toBe(DAE);
      expect(written.replace(SKIN, "")).toBe(DAE.replace(SKIN, ""));
      expect(written).toContain('<source id="jn">');
    },
  );

  test("a joint that only another skin names is added to it", async () => {
    const [controller] = /<controller[\s\S]*<\/controller>/.exec(DAE)!;
    const second = controller
      .replace(/"(#?)(ctl|jn|ib|we)(-a)?"/g, '"$1$2-two$3"')
      .replace('count="2">Hip Knee<', 'count="1">Hip<')
      .replace(/<vcount>.*<\/v>/, "<vcount>1 1 1 1</vcount><v>0 0 0 0 0 0 0 0</v>");
    const two = DAE.replace("</library_controllers>", `${second}</library_controllers>`).replace(
      "</visual_scene>",
      '<node id="twin" name="twin"><instance_controller url="#ctl-two"><skeleton>#n-hip</skeleton></instance_controller></node></visual_scene>',
    );
    const written = await bound(two, "more");
    expect(written.match(/>Hip Knee<\/Name_array>/g)).toHaveLength(2);
    expect(written.match(/<skeleton>/g)).toHaveLength(2);
  });

  test.each(["d", "e"])("a mesh without a skin receives a controller (seed %s)", async (seed) => {
    expect(BARE).not.toMatch(/controller/);
    const written = await bound(BARE, seed);
    expect(written).toMatch(/<instance_controller url="#sq-skin"><skeleton>#n-hip<\/skeleton>/);
    expect(written.match(/<library_controllers>/g)).toHaveLength(1);
    const kept = (text: string) =>
      text
        .replace(/<library_controllers>[\s\S]*<\/library_controllers>\s*/, "")
        .replace(/instance_controller/g, "instance_geometry")
        .replace("#sq-skin", "#sq")
        .replace("<skeleton>#n-hip</skeleton>", "");
    expect(kept(written)).toBe(BARE);
  });

  test("nodes without names, or of another type, become joints", async () => {
    const plain = BARE.replace(/ sid="(?:Hip|Knee)"/g, "").replace(/ type="JOINT"/g, "");
    const written = await bound(plain, "plain");
    expect(written.match(/type="JOINT"/g)).toHaveLength(2);
    expect(written).toMatch(/>n-hip n-knee<\/Name_array>/);
  });

  test("bytes that are not UTF-8 stay unchanged", async () => {
    const mark = DAE.indexOf("made by hand");
    const bytes = encode(DAE);
    bytes[mark] = 0xe4;
    const file = await read(bytes);
    const written = writeCharacter(file, file.character.weights!, { format: "dae" });
    expect(written.bytes.subarray(0, mark + 20)).toEqual(bytes.subarray(0, mark + 20));
  });

  test.each([DAE, BARE])("adopts the skeleton of another file", async (text) => {
    const turned = DAE.replace(/Knee/g, "Shin")
      .replace(/"knee"/g, '"shin"')
      .replace(/n-knee/g, "n-shin");
    const skeleton = { name: "rig.dae", bytes: encode(turned) };
    const file = await readCharacter({ name: "a.dae", bytes: encode(text) }, { skeleton });
    const weights = randomWeights(file.character, "other");
    const { bytes } = writeCharacter(file, weights, { format: "dae", maxInfluences: 8 });
    const again = await read(bytes);
    expect(again.character.skeleton.names).toEqual(["hip", "shin"]);
    expect(again.character.mesh.positions).toBeAllClose(file.character.mesh.positions, 1e-5);
    expect(again.character.skeleton.positions).toBeAllClose(
      file.character.skeleton.positions,
      1e-5,
    );
    expect(dense(again.character.weights!, 2).flat()).toBeAllClose(dense(weights, 2).flat(), 1e-5);
  });

  test("other formats cannot be written as COLLADA", async () => {
    const file = await readCharacter(
      { name: "a.obj", bytes: encode("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n") },
      { skeleton: { name: "rig.dae", bytes: encode(DAE) } },
    );
    const weights = randomWeights(file.character, "obj");
    expect(() => writeCharacter(file, weights, { format: "dae" })).toThrow(/only a \.dae/);
  });
});
