import { NodeIO } from "@gltf-transform/core";
import { describe, expect, test } from "vitest";
import { tubeGlb } from "../../../test/helpers/glb-builder.ts";
import { validateGltf } from "../../../test/helpers/validate-gltf.ts";
import type { Character } from "../../character/character.ts";
import { weightsFromSlots } from "../../weights/skin-weights.ts";
import { readCharacter } from "../read-character.ts";
import { bind, characterFromDocument } from "./gltf-transform.ts";

/** Six joints per vertex with different weights. */
function weigh({ mesh, skeleton }: Character) {
  const count = mesh.positions.length / 3;
  const slots = Math.min(6, skeleton.names.length);
  const joints = Int32Array.from(
    { length: count * slots },
    (_, i) => (i + Math.floor(i / slots)) % skeleton.names.length,
  );
  return weightsFromSlots(
    joints,
    Float32Array.from(joints, (_, i) => 1 + (i % slots)),
    slots,
  );
}

describe("bind", () => {
  test("reads the same character as a file reader", async () => {
    const bytes = tubeGlb({ isScaled: true }).builder.glb();
    const found = characterFromDocument(await new NodeIO().readBinary(bytes));
    const { character } = await readCharacter({ name: "document.glb", bytes });
    expect(found.skeleton.parents).toEqual(character.skeleton.parents);
    expect(found.weights).toEqual(character.weights);
    found.mesh.positions.forEach((value, i) => {
      expect(value).toBeCloseTo(character.mesh.positions[i], 5);
    });
  });

  test.each([
    { isBare: false, maxInfluences: 8 },
    { isBare: false, maxInfluences: 4 },
    { isBare: true, maxInfluences: 4 },
  ])("writes new weights to a document (%o)", async ({ isBare, maxInfluences }) => {
    const io = new NodeIO();
    const document = await io.readBinary(tubeGlb({ isBare, joints: 7 }).builder.glb());
    let wanted: ReturnType<typeof weigh> | undefined;
    await document.transform(
      bind(
        (character) => {
          wanted = weigh(character);
          return wanted;
        },
        { maxInfluences },
      ),
    );
    const bytes = await io.writeBinary(document);
    const issues = await validateGltf(bytes);
    expect(issues.filter(({ code }) => code !== "NODE_SKINNED_MESH_NON_ROOT")).toEqual([]);
    const { weights } = (await readCharacter({ name: "a.glb", bytes })).character;
    expect(weights!.influences).toBe(Math.min(6, maxInfluences));
    for (let v = 0; v < 72; v++) {
      const kept = Math.min(6, maxInfluences);
      const row = wanted!.joints.subarray(v * 6, v * 6 + kept);
      expect([...weights!.joints.subarray(v * kept, (v + 1) * kept)]).toEqual([...row]);
    }
  });
});
