import { createPacer, STRIDE, type Steps } from "../../event-loop.ts";
import { InputError } from "../../input-error.ts";
import { identityMat4 } from "../../math/mat4.ts";
import { toLinear } from "../../picture/color-maps.ts";
import { spend, TEXT_GROWTH } from "../budget.ts";
import { stemOf } from "../endings.ts";
import type { GltfSource } from "../gltf/gltf-source.ts";
import type { LoadContext } from "../load-context.ts";
import { damaged, type Losses, reportLoss } from "../losses.ts";
import {
  combineTextures,
  createImageFinder,
  type ImageFinder,
  missingNotes,
} from "../scene/images.ts";
import {
  plainMaterial,
  type SceneMaterial,
  type SceneMesh,
  type TextureRole,
} from "../scene/scene.ts";
import { gltfSteps } from "../scene/scene-to-gltf.ts";

function emptyLists() {
  return {
    v: [] as number[],
    /** Red, green, blue of each point; empty for a point without color. */
    colors: [] as number[][],
    vt: [] as number[],
    vn: [] as number[],
    /** Per corner: point, texture coordinate, normal; -1 where absent. */
    corners: [] as [number, number, number][],
    sizes: [] as number[],
    slots: [] as number[],
    names: [] as string[],
    libraries: [] as string[],
    unread: new Map() as Losses,
  };
}

type ObjLists = ReturnType<typeof emptyLists>;

/** Elements other than faces, by keyword. */
const UNREAD: Readonly<Record<string, string>> = {
  l: "lines",
  p: "points",
  curv: "curves",
  surf: "free-form surfaces",
};

/** Reads an OBJ (with its MTL, if available) as glTF: one mesh, no joints. */
export async function loadObj(
  file: string,
  bytes: Uint8Array,
  { resolve, budget, pacer = createPacer() }: LoadContext,
): Promise<GltfSource> {
  spend(budget, TEXT_GROWTH * bytes.length);
  const decoder = new TextDecoder();
  const lists = await pacer.run(lineSteps(file, decoder.decode(bytes)));
  const library = new Map<string, SceneMaterial>();
  const losses: Losses = new Map(lists.unread);
  const without = { losses, missing: new Set<string>() };
  const missing = new Set<string>();
  for (const path of lists.libraries) {
    const found = await resolve?.(path, "materials");
    if (found) await readMtl(decoder.decode(found), library, createImageFinder(resolve, without));
    else missing.add(path);
  }
  reportLoss(losses, "missing material files", missing.size);
  const name = stemOf(file);
  const { v, vt, vn, corners, colors } = lists;
  const rows = (of: (corner: ObjLists["corners"][number]) => number[]) =>
    Float32Array.from(corners.flatMap(of));
  const hasNormals = corners.length > 0 && corners.every((corner) => corner[2] >= 0);
  const hasUvs = corners.some((corner) => corner[1] >= 0);
  const hasColors = colors.some(({ length }) => length > 0);
  const mesh: SceneMesh = {
    name,
    points: Float32Array.from(v),
    corners: Int32Array.from(corners, (corner) => corner[0]),
    sizes: Int32Array.from(lists.sizes),
    normals: hasNormals ? rows(([, , n]) => [0, 1, 2].map((c) => vn[n * 3 + c])) : undefined,
    uvSets: hasUvs ? [rows(([, t]) => [vt[t * 2] ?? 0, 1 - (vt[t * 2 + 1] ?? 0)])] : [],
    colors: hasColors ? [rows(([point]) => linearColor(colors[point]))] : [],
    polygonMaterials: Int32Array.from(lists.slots),
    materials: lists.names.map((_, slot) => slot),
  };
  const materials = lists.names.map((each) => library.get(each) ?? plainMaterial(each));
  const nodes = [{ name, parent: -1, matrix: identityMat4(), mesh: 0 }];
  const notes = [
    ...missingNotes("material file", missing),
    ...missingNotes("image", without.missing),
  ];
  const scene = { nodes, meshes: [mesh], materials, animations: [], notes, losses };
  return { ...(await pacer.run(gltfSteps(file, scene))), budget };
}

function* lineSteps(file: string, text: string): Steps<ObjLists> {
  const lists = emptyLists();
  let slot = -1;
  const lines = text.replace(/\\(?:\r\n|\n|\r)/g, " ").split(/\r\n|\n|\r/);
  for (const [index, line] of lines.entries()) {
    if (index % STRIDE === STRIDE - 1) yield;
    const [key, ...words] = line.trim().split(/\s+/);
    if (key === "v") {
      lists.v.push(...numbers(file, words, 3, line));
      // Six or seven numbers: scanners and sculpting programs append a color to the position.
      lists.colors.push(words.length < 6 ? [] : words.slice(3, 6).map(Number));
    } else if (key === "vt") lists.vt.push(...numbers(file, words, 2, line));
    else if (key === "vn") lists.vn.push(...numbers(file, words, 3, line));
    else if (key === "f") {
      if (slot < 0) slot = lists.names.push("material") - 1;
      for (const word of words) lists.corners.push(readCorner(file, word, lists));
      lists.sizes.push(words.length);
      lists.slots.push(slot);
    } else if (key === "usemtl") {
      const name = words.join(" ");
      slot = lists.names.indexOf(name);
      if (slot < 0) slot = lists.names.push(name) - 1;
    } else if (key === "mtllib") lists.libraries.push(words.join(" "));
    else if (Object.hasOwn(UNREAD, key)) reportLoss(lists.unread, UNREAD[key]);
  }
  return lists;
}

/** A vertex color in linear light; white if there is none. */
function linearColor(color: number[]): number[] {
  const isColor = color.length === 3 && color.every((value) => value >= 0 && value <= 1);
  return isColor ? [...color.map((value) => toLinear(value * 255)), 1] : [1, 1, 1, 1];
}

function numbers(file: string, words: string[], count: number, line: string): number[] {
  const out = words.slice(0, count).map(Number);
  while (count === 2 && out.length < 2) out.push(0);
  if (out.length === count && out.every(Number.isFinite)) return out;
  const shown = line.trim().slice(0, 60);
  throw new InputError(`${file}: the line "${shown}" has a value that is not a number.`);
}

function readCorner(file: string, word: string, { v, vt, vn }: ObjLists): [number, number, number] {
  const counts = [v.length / 3, vt.length / 2, vn.length / 3];
  const parts = word.split("/");
  const index = (part: number) => {
    if (!parts[part] && part > 0) return -1;
    const number = Number(parts[part]);
    // Indices are 1-based; negative ones count back from the last value so far.
    const at = number < 0 ? counts[part] + number : number - 1;
    if (Number.isInteger(at) && at >= 0 && at < counts[part]) return at;
    throw damaged(file, `a face uses "${word}", but there are ${counts[part]} values so far`);
  };
  return [index(0), index(1), index(2)];
}

/** Textures that glTF supports, by keyword in lower case. */
const ROLES: Readonly<Record<string, TextureRole>> = {
  map_kd: "color",
  map_d: "opacity",
  map_ke: "emissive",
  map_pr: "roughness",
  map_pm: "metallic",
  norm: "normal",
};

const OTHER_MAPS = /^(?:map_\w+|bump|disp|decal|refl)$/i;

/** Reads the materials of an MTL into a library; reports textures that glTF does not support. */
async function readMtl(text: string, library: Map<string, SceneMaterial>, images: ImageFinder) {
  const read: SceneMaterial[] = [];
  for (const line of text.split(/\r\n|\n|\r/)) {
    const [key, ...words] = line.trim().split(/\s+/);
    const material = read.at(-1);
    if (key === "newmtl") read.push(plainMaterial(words.join(" ")));
    else if (!material) continue;
    else if (Object.hasOwn(ROLES, key.toLowerCase())) {
      await addMap(material, ROLES[key.toLowerCase()], line, images);
    } else if (OTHER_MAPS.test(key)) reportLoss(images.losses, `${key} textures`);
    else setFactor(material, key, words.map(Number));
  }
  for (const material of read) library.set(material.name, combineTextures(material, images.losses));
}

/** Sets a color or factor of a material; invalid values are ignored. */
function setFactor(material: SceneMaterial, key: string, values: number[]): void {
  const [value] = values;
  const color = values.slice(0, 3).map((each) => Math.min(Math.max(each, 0), 1));
  const isColor = color.length === 3 && color.every(Number.isFinite);
  const isFraction = value >= 0 && value <= 1;
  if (key === "Kd" && isColor) material.color = [color[0], color[1], color[2], material.color[3]];
  else if (key === "Ke" && isColor && color.some((each) => each > 0)) material.emissive = color;
  else if (key === "d" && value > 0) material.color[3] = Math.min(value, 1);
  else if (key === "Tr" && value >= 0 && value < 1) material.color[3] = 1 - value;
  else if (key === "Pr" && isFraction) material.roughness = value;
  else if (key === "Pm" && isFraction) material.metallic = value;
}

async function addMap(
  material: SceneMaterial,
  role: TextureRole,
  line: string,
  images: ImageFinder,
): Promise<void> {
  const path = imagePath(line);
  const texture = path ? await images.find(path) : undefined;
  if (!texture) return;
  material.textures = { ...material.textures, [role]: texture };
  if (role === "color") material.color = [1, 1, 1, material.color[3]];
  if (role === "emissive") material.emissive = [1, 1, 1];
  if (role === "metallic") material.metallic = 1;
  if (role === "roughness") material.roughness = 1;
}

/** The path of a texture statement: everything after its options, blanks included. */
function imagePath(line: string): string {
  const words = line.trim().split(/\s+/).slice(1);
  while (words[0]?.startsWith("-")) {
    words.shift();
    // An option has up to three values: numbers, on or off.
    while (words.length > 1 && /^(?:[-+.\d][\d.eE+-]*|on|off)$/.test(words[0])) words.shift();
  }
  return words.join(" ");
}
