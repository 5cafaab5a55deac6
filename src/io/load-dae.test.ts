import { describe, expect, it } from "vitest";
import { validateGltf } from "../../test/validate-gltf.ts";
import { parseXml } from "./parse-xml.ts";
import { readFloats } from "./read-accessor.ts";
import { readCharacter } from "./read-character.ts";
import { writeCharacter } from "./write-character.ts";

/** A standing square with two joints: z up, decimetres, two materials, an animated matrix element. */
const DAE = `<?xml version="1.0"?>
<!-- made by hand -->
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
  <asset><unit name="decimeter" meter="0.1"/><up_axis>Z_UP</up_axis></asset>
  <library_effects><effect id="fx"><profile_COMMON><technique sid="c"><lambert>
    <diffuse><color>0 1 0 1</color></diffuse></lambert></technique></profile_COMMON></effect></library_effects>
  <library_materials><material id="green" name="green &amp; fresh"><instance_effect url="#fx"/></material></library_materials>
  <library_geometries><geometry id="sq" name="square"><mesh>
    <source id="pos"><float_array id="pos-a" count="12">0 0 0 10 0 0 10 0 10 0 0 10</float_array>
      <technique_common><accessor source="#pos-a" count="4" stride="3"/></technique_common></source>
    <source id="nor"><float_array id="nor-a" count="3">0 -1 0</float_array>
      <technique_common><accessor source="#nor-a" count="1" stride="3"/></technique_common></source>
    <vertices id="ver"><input semantic="POSITION" source="#pos"/></vertices>
    <triangles count="1" material="m"><input semantic="VERTEX" source="#ver" offset="0"/><input semantic="NORMAL" source="#nor" offset="1"/>
      <p>0 0 1 0 2 0</p></triangles>
    <polylist count="1" material="other"><input semantic="VERTEX" source="#ver" offset="0"/><input semantic="NORMAL" source="#nor" offset="1"/>
      <vcount>3</vcount><p>0 0 2 0 3 0</p></polylist>
  </mesh></geometry></library_geometries>
  <library_controllers><controller id="ctl"><skin source="#sq">
    <bind_shape_matrix>1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1</bind_shape_matrix>
    <source id="jn"><Name_array id="jn-a" count="2">Hip Knee</Name_array></source>
    <source id="ib"><float_array id="ib-a" count="32">1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1 1 0 0 0 0 1 0 0 0 0 1 -5 0 0 0 1</float_array>
      <technique_common><accessor source="#ib-a" count="2" stride="16"/></technique_common></source>
    <source id="we"><float_array id="we-a" count="3">1 0.25 0.75</float_array>
      <technique_common><accessor source="#we-a" count="3" stride="1"/></technique_common></source>
    <joints><input semantic="JOINT" source="#jn"/><input semantic="INV_BIND_MATRIX" source="#ib"/></joints>
    <vertex_weights count="4"><input semantic="JOINT" source="#jn" offset="0"/><input semantic="WEIGHT" source="#we" offset="1"/>
      <vcount>1 1 2 1</vcount><v>0 0 0 0 0 1 1 2 1 0</v></vertex_weights>
  </skin></controller></library_controllers>
  <library_animations><animation>
    <source id="t"><float_array id="t-a" count="2">0 2</float_array><technique_common><accessor source="#t-a" count="2" stride="1"/></technique_common></source>
    <source id="o"><float_array id="o-a" count="2">5 7</float_array><technique_common><accessor source="#o-a" count="2" stride="1"/></technique_common></source>
    <sampler id="s"><input semantic="INPUT" source="#t"/><input semantic="OUTPUT" source="#o"/></sampler>
    <channel source="#s" target="n-knee/transform(2)(3)"/></animation></library_animations>
  <library_visual_scenes><visual_scene id="scene">
    <node id="n-hip" name="hip" sid="Hip" type="JOINT"><rotate sid="r">0 0 1 0</rotate>
      <node id="n-knee" name="knee" sid="Knee" type="JOINT"><matrix sid="transform">1 0 0 0 0 1 0 0 0 0 1 5 0 0 0 1</matrix></node></node>
    <node id="n-sq" name="body"><instance_controller url="#ctl"><skeleton>#n-hip</skeleton>
      <bind_material><technique_common><instance_material symbol="m" target="#green"/></technique_common></bind_material>
    </instance_controller></node>
  </visual_scene></library_visual_scenes>
  <scene><instance_visual_scene url="#scene"/></scene>
</COLLADA>`;

const read = (text: string) =>
  readCharacter({ name: "square.dae", bytes: new TextEncoder().encode(text) });

describe("COLLADA", () => {
  it("brings mesh, joints and weights to metres, y up", async () => {
    const { character, oddities } = await read(DAE);
    const wanted = [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0];
    character.mesh.positions.forEach((value, i) => {
      expect(value).toBeCloseTo(wanted[i], 6);
    });
    expect(character.skeleton.names).toEqual(["hip", "knee"]);
    expect([...character.skeleton.parents]).toEqual([-1, 0]);
    expect(character.skeleton.positions[4]).toBeCloseTo(0.5, 6);
    expect([...character.weights!.joints]).toEqual([0, 0, 0, 0, 1, 0, 1, 0]);
    expect([...character.weights!.weights]).toEqual([1, 0, 1, 0, 0.75, 0.25, 1, 0]);
    expect(oddities).toEqual([]);
  });

  it("becomes a valid GLB with materials and animation", async () => {
    const file = await read(DAE);
    const { bytes } = writeCharacter(file, file.character.weights!);
    expect(await validateGltf(bytes)).toEqual([]);
    const { source } = await readCharacter({ name: "a.glb", bytes });
    const { json } = source;
    expect(json.materials).toMatchObject([
      { name: "green & fresh", pbrMetallicRoughness: { baseColorFactor: [0, 1, 0, 1] } },
      { name: "material" },
    ]);
    expect(json.meshes![0].primitives.map((p) => p.material)).toEqual([0, 1]);
    const move = json.animations![0].channels.find(({ target }) => target.path === "translation")!;
    const output = readFloats(source, json.animations![0].samplers[move.sampler].output);
    expect([...output]).toEqual([0, 0, 5, 0, 0, 7]);
  });

  it("serves as a skeleton where it has no mesh", async () => {
    const bare = DAE.replace(/<library_geometries>[\s\S]*<\/library_geometries>/, "");
    const { character, oddities } = await read(bare);
    expect(character.mesh.positions.length).toBe(0);
    expect(character.skeleton.positions[4]).toBeCloseTo(0.5, 6);
    expect(oddities.join()).toContain("no mesh");
  });

  it.each([
    ["cut off", DAE.slice(0, 2000), /XML ends early or is damaged/],
    ["another XML", "<svg></svg>", /not a COLLADA file/],
    ["an unknown joint", DAE.replace("Hip Knee", "Hip Elbow"), /uses joint "Elbow"/],
    ["a wild joint", DAE.replace("<v>0 0", "<v>9 0"), /weighted to joint 9, but its skin has 2/],
    ["a wild point", DAE.replace("<p>0 0 1 0", "<p>0 0 8 0"), /uses vertex 8, but there are 4/],
    ["text for numbers", DAE.replace("0 0 0 10", "0 x 0 10"), /not a number/],
  ])("refuses %s", (_, text, words) => expect(read(text)).rejects.toThrow(words));
});

describe("parseXml", () => {
  it("reads attributes in both quotes, entities, CDATA and empty elements", () => {
    const root = parseXml(
      "a.xml",
      `<a x='1 > 0' y="&lt;&#65;&#x42;"><b/><c><![CDATA[<raw>]]> t</c></a>`,
    );
    expect(root.children[0].attributes).toEqual({ x: "1 > 0", y: "<AB" });
    expect(root.children[0].children.map((child) => child.name)).toEqual(["b", "c"]);
    expect(root.children[0].children[1].text).toBe("<raw> t");
  });
});
