/** A grid of points that follow two joints, as files that take long to read. */
interface Grid {
  positions: number[];
  normals: number[];
  uvs: number[];
  quads: number[][];
}

function grid(side: number): Grid {
  const at = Array.from({ length: side * side }, (_, i) => [i % side, Math.floor(i / side)]);
  const inner = at.filter(([x, y]) => x < side - 1 && y < side - 1);
  return {
    positions: at.flatMap(([x, y]) => [x / side, y / side, Math.sin(x / 40) / 9]),
    normals: at.flatMap(([x]) => [Math.sin(x / 30) / 4, 0.01, 0.96825]),
    uvs: at.flatMap(([x, y]) => [x / side, y / side]),
    quads: inner.map(([x, y]) => {
      const corner = y * side + x;
      return [corner, corner + 1, corner + side + 1, corner + side];
    }),
  };
}

/** Returns a text FBX 7.4 of a grid with `side` × `side` points. */
export function largeFbxText(side: number): string {
  const { positions, normals, uvs, quads } = grid(side);
  const list = (name: string, values: number[]) =>
    `${name}: *${values.length} {\n a: ${values.join()}\n}\n`;
  const layer = (kind: string, lists: string) =>
    `LayerElement${kind}: 0 {\nMappingInformationType: "ByVertice"\nReferenceInformationType: "Direct"\n${lists}}\n`;
  const points = Array.from({ length: side * side }, (_, i) => i);
  const matrix = (y: number) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, y, 0, 1];
  const bones = [0, 1].map(
    (b) => `Model: ${20 + b}, "Model::bone${b}", "LimbNode" {
Properties70:  {
P: "Lcl Translation", "Lcl Translation", "", "A",0,${b / 2},0
}
}
Deformer: ${30 + b}, "SubDeformer::", "Cluster" {
${list("Indexes", points)}${list(
  "Weights",
  points.map((point) => (b === 0 ? point % 7 : 7 - (point % 7)) / 7),
)}${list("Transform", matrix(-b / 2))}${list("TransformLink", matrix(b / 2))}}
`,
  );
  const corners = quads.flatMap(([a, b, c, d]) => [a, b, c, -1 - d]);
  return `; FBX 7.4.0 project file
FBXHeaderExtension:  {
FBXVersion: 7400
}
Objects:  {
Geometry: 10, "Geometry::grid", "Mesh" {
${list("Vertices", positions)}${list("PolygonVertexIndex", corners)}${layer("Normal", list("Normals", normals))}${layer("UV", list("UV", uvs))}}
Model: 11, "Model::grid", "Mesh" {
}
Deformer: 12, "Deformer::", "Skin" {
}
${bones.join("")}}
Connections:  {
C: "OO",10,11
C: "OO",11,0
C: "OO",12,10
C: "OO",30,12
C: "OO",31,12
C: "OO",20,30
C: "OO",21,31
C: "OO",20,0
C: "OO",21,20
}
`;
}

/** Returns a COLLADA of a grid with `side` × `side` points. */
export function largeDae(side: number): string {
  const { positions, normals, uvs, quads } = grid(side);
  const source = (id: string, values: number[], stride: number) =>
    `<source id="${id}"><float_array id="${id}-a" count="${values.length}">${values.join(" ")}</float_array><technique_common><accessor source="#${id}-a" count="${values.length / stride}" stride="${stride}"/></technique_common></source>`;
  const corners = quads.flatMap(([a, b, c, d]) => [a, b, c, a, c, d]);
  const points = Array.from({ length: side * side }, (_, i) => i);
  const identity = "1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1";
  const weights = Array.from({ length: 8 }, (_, i) => i / 7);
  return `<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<library_geometries><geometry id="g" name="grid"><mesh>
${source("p", positions, 3)}${source("n", normals, 3)}${source("t", uvs, 2)}
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="${corners.length / 3}"><input semantic="VERTEX" source="#v" offset="0"/><input semantic="NORMAL" source="#n" offset="1"/><input semantic="TEXCOORD" source="#t" offset="2"/>
<p>${corners.flatMap((i) => [i, i, i]).join(" ")}</p></triangles>
</mesh></geometry></library_geometries>
<library_controllers><controller id="c"><skin source="#g"><bind_shape_matrix>${identity}</bind_shape_matrix>
<source id="j"><Name_array id="j-a" count="2">a b</Name_array></source>
${source("i", `${identity} ${identity}`.split(" ").map(Number), 16)}${source("w", weights, 1)}
<joints><input semantic="JOINT" source="#j"/><input semantic="INV_BIND_MATRIX" source="#i"/></joints>
<vertex_weights count="${points.length}"><input semantic="JOINT" source="#j" offset="0"/><input semantic="WEIGHT" source="#w" offset="1"/>
<vcount>${points.map(() => 2).join(" ")}</vcount>
<v>${points.flatMap((i) => [0, i % 8, 1, 7 - (i % 8)]).join(" ")}</v></vertex_weights>
</skin></controller></library_controllers>
<library_visual_scenes><visual_scene id="s">
<node id="a" sid="a" type="JOINT"><node id="b" sid="b" type="JOINT"/></node>
<node id="m"><instance_controller url="#c"><skeleton>#a</skeleton></instance_controller></node>
</visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene>
</COLLADA>
`;
}

/** Returns an OBJ of a grid with `side` × `side` points. */
export function largeObj(side: number): string {
  const { positions, normals, uvs, quads } = grid(side);
  const rows = (key: string, values: number[], width: number) =>
    Array.from(
      { length: values.length / width },
      (_, i) => `${key} ${values.slice(i * width, (i + 1) * width).join(" ")}\n`,
    ).join("");
  const faces = quads.map(
    (quad) => `f ${quad.map((i) => `${i + 1}/${i + 1}/${i + 1}`).join(" ")}\n`,
  );
  return `${rows("v", positions, 3)}${rows("vt", uvs, 2)}${rows("vn", normals, 3)}${faces.join("")}`;
}
