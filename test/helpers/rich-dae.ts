import { plainPng } from "./rich-fbx.ts";

/** A file next to {@link richDae}. */
export const RICH_DAE_PICTURES: Record<string, Uint8Array> = {
  "skin.png": plainPng([200, 150, 120, 255]),
};

const RINGS = 9;
const SIDES = 6;

function source(id: string, values: readonly number[], params: string): string {
  const stride = params.length;
  const count = values.length / stride;
  const names = [...params].map((name) => `<param name="${name}" type="float"/>`).join("");
  return `<source id="${id}"><float_array id="${id}-array" count="${values.length}">${values.join(" ")}</float_array><technique_common><accessor source="#${id}-array" count="${count}" stride="${stride}">${names}</accessor></technique_common></source>`;
}

function geometry(id: string, wide: number): string {
  const points = Array.from({ length: RINGS * SIDES }, (_, i) => {
    const angle = ((i % SIDES) / SIDES) * 2 * Math.PI;
    const ring = Math.floor(i / SIDES);
    const radius = 0.2 + (ring === RINGS - 1 ? wide : 0);
    return [radius * Math.cos(angle), radius * Math.sin(angle), ring * 0.2];
  });
  const quads = Array.from({ length: (RINGS - 1) * SIDES }, (_, q) => {
    const at = (r: number, s: number) =>
      (Math.floor(q / SIDES) + r) * SIDES + (((q % SIDES) + s) % SIDES);
    return [at(0, 0), at(0, 1), at(1, 1), at(1, 0)];
  });
  const list = (material: string, own: number[][]) =>
    `<polylist material="${material}" count="${own.length}"><input semantic="VERTEX" source="#${id}-v" offset="0"/><input semantic="TEXCOORD" source="#${id}-uv" offset="0" set="0"/><input semantic="TEXCOORD" source="#${id}-uv2" offset="0" set="1"/><input semantic="COLOR" source="#${id}-c" offset="0" set="0"/><vcount>${own.map(() => 4).join(" ")}</vcount><p>${own.flat().join(" ")}</p></polylist>`;
  const uvs = (scale: number) =>
    points.flatMap((_, p) => [(p % SIDES) / SIDES, (scale * p) / points.length]);
  return `<geometry id="${id}" name="${id}"><mesh>${source(`${id}-p`, points.flat(), "XYZ")}${source(`${id}-uv`, uvs(1), "ST")}${source(`${id}-uv2`, uvs(0.5), "ST")}${source(
    `${id}-c`,
    points.flatMap((_, p) => [p / points.length, 0.25, 0.5]),
    "RGB",
  )}<vertices id="${id}-v"><input semantic="POSITION" source="#${id}-p"/></vertices>${list("m0", quads.slice(0, 20))}${list("m1", quads.slice(20))}</mesh></geometry>`;
}

const effect = (id: string, maps: string, color: string) =>
  `<effect id="${id}"><profile_COMMON>${maps}<technique sid="common"><lambert>${color}</lambert></technique></profile_COMMON></effect>`;

const parameters = (image: string) =>
  `<newparam sid="${image}-surface"><surface type="2D"><init_from>${image}</init_from></surface></newparam><newparam sid="${image}-sampler"><sampler2D><source>${image}-surface</source></sampler2D></newparam>`;

const joint = (index: number): string =>
  index === 4
    ? ""
    : `<node id="b${index}" name="b${index}" sid="b${index}" type="JOINT"><matrix sid="transform">1 0 0 0 0 1 0 0 0 0 1 ${index > 0 ? 0.4 : 0} 0 0 0 1</matrix>${joint(index + 1)}</node>`;

const curve = (id: string, target: string, values: number[]) =>
  `<animation id="${id}">${source(`${id}-t`, [0, 1], "T")}${source(`${id}-o`, values, "X")}<source id="${id}-i"><Name_array id="${id}-i-array" count="2">LINEAR LINEAR</Name_array><technique_common><accessor source="#${id}-i-array" count="2" stride="1"><param name="INTERPOLATION" type="name"/></accessor></technique_common></source><sampler id="${id}-s"><input semantic="INPUT" source="#${id}-t"/><input semantic="OUTPUT" source="#${id}-o"/><input semantic="INTERPOLATION" source="#${id}-i"/></sampler><channel source="#${id}-s" target="${target}"/></animation>`;

/** Features of {@link richDae}; all by default. */
export interface RichDaeOptions {
  isSkinned?: boolean;
  hasMorph?: boolean;
}

/**
 * A tube of four joints, z up, with every supported feature of COLLADA: two materials, one with an image, two UV
 * sets, colors, a morph and its animation, a camera and a light. Without a skin, joints are next to the mesh.
 */
export function richDae({ isSkinned = true, hasMorph = true }: RichDaeOptions = {}): string {
  const shape = hasMorph ? "morph" : "tube";
  const counts = Array.from({ length: RINGS * SIDES }, () => 1);
  const pairs = counts.flatMap((_, p) => [Math.min(Math.floor(p / SIDES / 2), 3), 0]);
  const binds = [0, 1, 2, 3].flatMap((b) => [
    1,
    0,
    0,
    0,
    0,
    1,
    0,
    0,
    0,
    0,
    1,
    -0.4 * b,
    0,
    0,
    0,
    1,
  ]);
  const skin = `<controller id="skin"><skin source="#${shape}"><bind_shape_matrix>1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1</bind_shape_matrix><source id="skin-j"><Name_array id="skin-j-array" count="4">b0 b1 b2 b3</Name_array><technique_common><accessor source="#skin-j-array" count="4" stride="1"><param name="JOINT" type="name"/></accessor></technique_common></source><source id="skin-b"><float_array id="skin-b-array" count="64">${binds.join(" ")}</float_array><technique_common><accessor source="#skin-b-array" count="4" stride="16"><param name="TRANSFORM" type="float4x4"/></accessor></technique_common></source>${source("skin-w", [1], "W")}<joints><input semantic="JOINT" source="#skin-j"/><input semantic="INV_BIND_MATRIX" source="#skin-b"/></joints><vertex_weights count="${counts.length}"><input semantic="JOINT" source="#skin-j" offset="0"/><input semantic="WEIGHT" source="#skin-w" offset="1"/><vcount>${counts.join(" ")}</vcount><v>${pairs.join(" ")}</v></vertex_weights></skin></controller>`;
  const morph = `<controller id="morph"><morph source="#tube" method="NORMALIZED"><source id="morph-t"><IDREF_array id="morph-t-array" count="1">wide</IDREF_array><technique_common><accessor source="#morph-t-array" count="1" stride="1"><param name="IDREF" type="IDREF"/></accessor></technique_common></source>${source("morph-w", [0], "W")}<targets><input semantic="MORPH_TARGET" source="#morph-t"/><input semantic="MORPH_WEIGHT" source="#morph-w"/></targets></morph></controller>`;
  const materials = ["m0", "m1"]
    .map((m) => `<instance_material symbol="${m}" target="#${m}"/>`)
    .join("");
  const shown = isSkinned ? ["skin", "<skeleton>#b0</skeleton>"] : [shape, ""];
  const tag = isSkinned || hasMorph ? "instance_controller" : "instance_geometry";
  const controllers = `${hasMorph ? morph : ""}${isSkinned ? skin : ""}`;
  return `<?xml version="1.0" encoding="utf-8"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit name="meter" meter="1"/><up_axis>Z_UP</up_axis></asset>
<library_cameras><camera id="cam"><optics><technique_common><perspective><xfov>40</xfov><aspect_ratio>1.5</aspect_ratio><znear>0.1</znear><zfar>100</zfar></perspective></technique_common></optics></camera></library_cameras>
<library_lights><light id="lamp"><technique_common><point><color>1 0.5 0.25</color></point></technique_common></light></library_lights>
<library_images><image id="skin-png"><init_from>skin.png</init_from></image></library_images>
<library_effects>${effect("fx0", parameters("skin-png"), '<diffuse><texture texture="skin-png-sampler" texcoord="UV"/></diffuse>')}${effect("fx1", "", "<emission><color>0.1 0 0 1</color></emission><diffuse><color>0 1 0 1</color></diffuse>")}</library_effects>
<library_materials><material id="m0" name="skin"><instance_effect url="#fx0"/></material><material id="m1" name="cloth"><instance_effect url="#fx1"/></material></library_materials>
<library_geometries>${geometry("tube", 0)}${hasMorph ? geometry("wide", 0.1) : ""}</library_geometries>
${controllers && `<library_controllers>${controllers}</library_controllers>`}
<library_animations>${curve("lift", "b1/transform(2)(3)", [0.4, 0.6])}${hasMorph ? curve("open", "morph-w(0)", [0, 1]) : ""}</library_animations>
<library_visual_scenes><visual_scene id="scene">${joint(0)}<node id="body" name="body"><${tag} url="#${shown[0]}">${shown[1]}<bind_material><technique_common>${materials}</technique_common></bind_material></${tag}></node><node id="n-cam" name="cam"><translate>0 -3 1</translate><instance_camera url="#cam"/></node><node id="n-lamp" name="lamp"><translate>0 -3 2</translate><instance_light url="#lamp"/></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#scene"/></scene>
</COLLADA>`;
}
