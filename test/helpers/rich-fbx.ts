import { PNG } from "pngjs";

const SIDES = 8;
const RINGS = 13;
const BONES = 4;
const HEIGHT = 160;
const SECOND = 46186158000;

/** An image of one color, as PNG. */
export function plainPng(color: readonly number[], size = 2): Uint8Array {
  const png = new PNG({ width: size, height: size });
  for (let i = 0; i < png.data.length; i++) png.data[i] = color[i % 4];
  return new Uint8Array(PNG.sync.write(png));
}

const list = (name: string, values: readonly number[]) =>
  `${name}: *${values.length} {\n\ta: ${values.join()}\n}\n`;

/** A node with children, each level indented by a tab: some readers depend on that. */
const block = (head: string, ...inner: string[]) => {
  const lines = inner.join("\n").split("\n");
  const indented = lines.filter((line) => line !== "").map((line) => `\t${line}\n`);
  return `${head} {\n${indented.join("")}}\n`;
};

const vector = (name: string, values: readonly number[]) =>
  `P: "${name}", "${name}", "", "A",${values.join()}`;

const number = (name: string, value: number) => `P: "${name}", "double", "Number", "",${value}`;

const properties = (...inner: string[]) => block("Properties70: ", ...inner);

/** Points of the tube, ring by ring, and its quads. */
function tube() {
  const points = Array.from({ length: RINGS * SIDES }, (_, i) => {
    const angle = ((i % SIDES) / SIDES) * 2 * Math.PI;
    const y = (Math.floor(i / SIDES) / (RINGS - 1)) * HEIGHT;
    return [20 * Math.cos(angle), y, 20 * Math.sin(angle)];
  });
  const quads = Array.from({ length: (RINGS - 1) * SIDES }, (_, q) => {
    const [ring, side] = [Math.floor(q / SIDES), q % SIDES];
    const at = (r: number, s: number) => r * SIDES + (s % SIDES);
    return [at(ring, side), at(ring + 1, side), at(ring + 1, side + 1), at(ring, side + 1)];
  });
  return { points, quads };
}

function layer(kind: string, index: number, more: string, mapping = "ByPolygonVertex") {
  return block(
    `LayerElement${kind}: ${index}`,
    "Version: 101",
    `Name: "${kind}${index}"`,
    `MappingInformationType: "${mapping}"`,
    more,
  );
}

function geometry() {
  const { points, quads } = tube();
  const corners = quads.flat();
  const count = corners.length;
  const sets = [0, 1].map((set) => {
    const uvs = corners.flatMap((p) => [
      (p % SIDES) / SIDES,
      (1 - set * 0.5) * (p / points.length),
    ]);
    const index = corners.map((_, i) => i);
    return layer(
      "UV",
      set,
      `ReferenceInformationType: "IndexToDirect"\n${list("UV", uvs)}${list("UVIndex", index)}`,
    );
  });
  const colors = corners.flatMap((p) => [p / points.length, 0.25, 0.5, 1]);
  const slots = quads.map((_, q) => (q < quads.length / 3 ? 0 : 1));
  return block(
    `Geometry: 1000, "Geometry::tube", "Mesh"`,
    list("Vertices", points.flat()),
    list(
      "PolygonVertexIndex",
      corners.map((p, i) => (i % 4 === 3 ? -p - 1 : p)),
    ),
    "GeometryVersion: 124",
    layer(
      "Normal",
      0,
      `ReferenceInformationType: "Direct"\n${list(
        "Normals",
        corners.flatMap((p) => [points[p][0] / 20, 0, points[p][2] / 20]),
      )}`,
    ),
    layer(
      "Color",
      0,
      `ReferenceInformationType: "IndexToDirect"\n${list("Colors", colors)}${list(
        "ColorIndex",
        Array.from({ length: count }, (_, i) => i),
      )}`,
    ),
    ...sets,
    layer(
      "Material",
      0,
      `ReferenceInformationType: "IndexToDirect"\n${list("Materials", slots)}`,
      "ByPolygon",
    ),
    block(
      "Layer: 0",
      "Version: 100",
      ...["Normal", "Color", "UV", "Material"].map((kind) =>
        block("LayerElement:", `Type: "LayerElement${kind}"`, "TypedIndex: 0"),
      ),
    ),
    block(
      "Layer: 1",
      "Version: 100",
      block("LayerElement:", 'Type: "LayerElementUV"', "TypedIndex: 1"),
    ),
  );
}

/** Bones along the axis, each with the points nearest to it. */
function bones() {
  const { points } = tube();
  const step = HEIGHT / BONES;
  const at = (y: number) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, y, 0, 1];
  const objects = Array.from({ length: BONES }, (_, b) => {
    const own = points.flatMap(([, y], p) =>
      Math.min(Math.floor(y / step), BONES - 1) === b ? [p] : [],
    );
    return [
      block(
        `NodeAttribute: ${300 + b}, "NodeAttribute::bone${b}", "LimbNode"`,
        properties(number("Size", 1)),
        'TypeFlags: "Skeleton"',
      ),
      block(
        `Model: ${200 + b}, "Model::bone${b}", "LimbNode"`,
        "Version: 232",
        properties(vector("Lcl Translation", [0, b > 0 ? step : 0, 0])),
        'Culling: "CullingOff"',
      ),
      block(
        `Deformer: ${400 + b}, "SubDeformer::", "Cluster"`,
        "Version: 100",
        list("Indexes", own),
        list(
          "Weights",
          own.map(() => 1),
        ),
        list("Transform", at(-b * step)),
        list("TransformLink", at(b * step)),
      ),
    ].join("");
  });
  const links = Array.from({ length: BONES }, (_, b) => [
    `C: "OO",${200 + b},${b > 0 ? 199 + b : 0}`,
    `C: "OO",${300 + b},${200 + b}`,
    `C: "OO",${400 + b},1200`,
    `C: "OO",${200 + b},${400 + b}`,
  ]).flat();
  return { objects: objects.join(""), links };
}

function skin() {
  const objects = block(
    'Deformer: 1200, "Deformer::", "Skin"',
    "Version: 101",
    "Link_DeformAcuracy: 50",
  );
  return { objects, links: ['C: "OO",1200,1000'] };
}

/** A take that rotates the second bone about an axis and raises the shape weight. */
function take(first: number, name: string, axis: string, degrees: number) {
  const curve = (id: number, values: number[]) =>
    block(
      `AnimationCurve: ${id}, "AnimCurve::", ""`,
      "Default: 0",
      "KeyVer: 4008",
      list(
        "KeyTime",
        values.map((_, i) => i * SECOND),
      ),
      list("KeyValueFloat", values),
      list("KeyAttrFlags", [24836]),
      list("KeyAttrDataFloat", [0, 0, 0, 0]),
      list("KeyAttrRefCount", [values.length]),
    );
  const objects = [
    block(
      `AnimationStack: ${first}, "AnimStack::${name}", ""`,
      properties(`P: "LocalStop", "KTime", "Time", "",${SECOND}`),
    ),
    block(`AnimationLayer: ${first + 1}, "AnimLayer::base", ""`),
    block(
      `AnimationCurveNode: ${first + 2}, "AnimCurveNode::R", ""`,
      properties(...["X", "Y", "Z"].map((a) => `P: "d|${a}", "Number", "", "A",0`)),
    ),
    curve(first + 3, [0, degrees]),
    block(
      `AnimationCurveNode: ${first + 4}, "AnimCurveNode::DeformPercent", ""`,
      properties('P: "d|DeformPercent", "Number", "", "A",0'),
    ),
    curve(first + 5, [0, degrees / 2]),
  ];
  const links = [
    `C: "OO",${first + 1},${first}`,
    `C: "OO",${first + 2},${first + 1}`,
    `C: "OP",${first + 2},201, "Lcl Rotation"`,
    `C: "OP",${first + 3},${first + 2}, "d|${axis}"`,
    `C: "OO",${first + 4},${first + 1}`,
    `C: "OP",${first + 4},1301, "DeformPercent"`,
    `C: "OP",${first + 5},${first + 4}, "d|DeformPercent"`,
  ];
  return { objects: objects.join(""), links };
}

/** A material with a map for each of these properties; the images are embedded. */
function material(first: number, name: string, maps: Record<string, readonly number[]>) {
  const objects = [
    block(
      `Material: ${first}, "Material::${name}", ""`,
      "Version: 102",
      'ShadingModel: "phong"',
      "MultiLayer: 0",
      properties('P: "DiffuseColor", "Color", "", "A",0.8,0.4,0.2'),
    ),
  ];
  const links = [`C: "OO",${first},1100`];
  Object.entries(maps).forEach(([property, color], index) => {
    const [texture, video] = [first + 10 + index * 2, first + 11 + index * 2];
    const file = `${name}-${property}.png`;
    const content = Buffer.from(plainPng(color)).toString("base64");
    objects.push(
      block(
        `Texture: ${texture}, "Texture::${property}", ""`,
        'Type: "TextureVideoClip"',
        "Version: 202",
        `TextureName: "Texture::${property}"`,
        `FileName: "${file}"`,
        `RelativeFilename: "${file}"`,
      ),
      block(
        `Video: ${video}, "Video::${property}", "Clip"`,
        'Type: "Clip"',
        `FileName: "${file}"`,
        `RelativeFilename: "${file}"`,
        `Content: , "${content}"`,
      ),
    );
    links.push(`C: "OP",${texture},${first}, "${property}"`, `C: "OO",${video},${texture}`);
  });
  return { objects: objects.join(""), links };
}

/** A shape that widens the top ring. */
function shape() {
  const { points } = tube();
  const top = points.flatMap(([, y], p) => (y === HEIGHT ? [p] : []));
  const deltas = top.flatMap((p) => [points[p][0] / 2, 0, points[p][2] / 2]);
  const objects = [
    block(
      `Geometry: 1302, "Geometry::wide", "Shape"`,
      "Version: 100",
      list("Indexes", top),
      list("Vertices", deltas),
      list(
        "Normals",
        deltas.map(() => 0),
      ),
    ),
    block(`Deformer: 1300, "Deformer::", "BlendShape"`, "Version: 100"),
    block(
      `Deformer: 1301, "SubDeformer::wide", "BlendShapeChannel"`,
      "Version: 100",
      "DeformPercent: 0",
      list("FullWeights", [100]),
    ),
  ];
  const links = ['C: "OO",1300,1000', 'C: "OO",1301,1300', 'C: "OO",1302,1301'];
  return { objects: objects.join(""), links };
}

/** A camera and a light, each with its attribute. */
function onlookers() {
  const pairs = ["Camera", "Light"].map((kind, i) => {
    const [model, attribute] = [2000 + i * 2, 2001 + i * 2];
    const own =
      kind === "Camera"
        ? [number("FocalLength", 35), number("FilmWidth", 1.4), number("FilmHeight", 0.9)]
        : ['P: "LightType", "enum", "", "",0', number("Intensity", 200)];
    const objects =
      block(
        `NodeAttribute: ${attribute}, "NodeAttribute::${kind}", "${kind}"`,
        properties(...own),
        `TypeFlags: "${kind}"`,
      ) +
      block(
        `Model: ${model}, "Model::${kind}", "${kind}"`,
        "Version: 232",
        properties(vector("Lcl Translation", [0, 100, 300])),
      );
    return { objects, links: [`C: "OO",${model},0`, `C: "OO",${attribute},${model}`] };
  });
  return { objects: pairs.map((p) => p.objects).join(""), links: pairs.flatMap((p) => p.links) };
}

/** Counts that a reader should find in {@link richFbxText}. */
export const RICH_FBX = { takes: 2, uvSets: 2, colors: 1, shapes: 1, materials: 2, pictures: 4 };

/**
 * A tube with four bones and every supported feature of FBX: two materials with embedded maps, two UV sets, colors,
 * a shape, two takes that move bone and shape, one of them twice, a camera and a light; without bones, a mesh to be
 * bound to other bones.
 */
export function richFbxText(hasBones = true): string {
  const parts = [
    ...(hasBones ? [bones(), skin()] : []),
    material(1500, "skin", {
      DiffuseColor: [200, 150, 120, 255],
      NormalMap: [128, 128, 255, 255],
      EmissiveColor: [20, 0, 0, 255],
    }),
    material(1600, "cloth", {
      ShininessExponent: [90, 90, 90, 255],
      ReflectionFactor: [200, 200, 200, 255],
    }),
    shape(),
    take(3000, "nod", "X", 60),
    take(3100, "sway", "Z", 40),
    take(3200, "sway again", "Z", 40),
    onlookers(),
  ];
  const axes = ["UpAxis", "FrontAxis", "CoordAxis"].flatMap((name, i) => [
    `P: "${name}", "int", "Integer", "",${[1, 2, 0][i]}`,
    `P: "${name}Sign", "int", "Integer", "",1`,
  ]);
  const unit = [number("UnitScaleFactor", 1), number("OriginalUnitScaleFactor", 1)];
  const rate = ['P: "TimeMode", "enum", "", "",11', number("CustomFrameRate", -1)];
  return [
    "; FBX 7.4.0 project file",
    block("FBXHeaderExtension:", "FBXHeaderVersion: 1003", "FBXVersion: 7400"),
    block("GlobalSettings:", "Version: 1000", properties(...axes, ...unit, ...rate)),
    block("Definitions:", "Version: 100", "Count: 1", block('ObjectType: "Model"', "Count: 1")),
    block(
      "Objects:",
      geometry(),
      block(
        'Model: 1100, "Model::tube", "Mesh"',
        "Version: 232",
        properties(vector("Lcl Scaling", [1, 1, 1])),
        "Shading: T",
        'Culling: "CullingOff"',
      ),
      ...parts.map((part) => part.objects),
    ),
    block(
      "Connections:",
      'C: "OO",1100,0',
      'C: "OO",1000,1100',
      ...parts.flatMap((part) => part.links),
    ),
  ].join("\n");
}
