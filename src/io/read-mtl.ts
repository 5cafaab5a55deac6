import { combineTextures } from "./combine-textures.ts";
import type { PictureFinder } from "./find-pictures.ts";
import { lose } from "./losses.ts";
import { plainMaterial, type SceneMaterial, type TextureRole } from "./scene.ts";

/** Maps that glTF has a place for, by their keys in lower case. */
const ROLES: Readonly<Record<string, TextureRole>> = {
  map_kd: "color",
  map_d: "opacity",
  map_ke: "emissive",
  map_pr: "roughness",
  map_pm: "metallic",
  norm: "normal",
};

/** Keys of all other maps: of mirrors, heights, highlights. */
const OTHER_MAPS = /^(?:map_\w+|bump|disp|decal|refl)$/i;

/** Reads the materials of an MTL into a library; what glTF cannot hold is lost. */
export async function readMtl(
  text: string,
  library: Map<string, SceneMaterial>,
  pictures: PictureFinder,
): Promise<void> {
  const read: SceneMaterial[] = [];
  for (const line of text.split(/\r\n|\n|\r/)) {
    const [key, ...words] = line.trim().split(/\s+/);
    const material = read.at(-1);
    if (key === "newmtl") read.push(plainMaterial(words.join(" ")));
    else if (!material) continue;
    else if (Object.hasOwn(ROLES, key.toLowerCase())) {
      await addMap(material, ROLES[key.toLowerCase()], line, pictures);
    } else if (OTHER_MAPS.test(key)) lose(pictures.lost, `maps of ${key}`);
    else setFactor(material, key, words.map(Number));
  }
  for (const material of read) library.set(material.name, combineTextures(material, pictures.lost));
}

/** Colours and numbers of a material; those that are none change nothing. */
function setFactor(material: SceneMaterial, key: string, values: number[]): void {
  const [value] = values;
  const color = values.slice(0, 3).map((each) => Math.min(Math.max(each, 0), 1));
  const isColor = color.length === 3 && color.every(Number.isFinite);
  const isShare = value >= 0 && value <= 1;
  if (key === "Kd" && isColor) material.color = [color[0], color[1], color[2], material.color[3]];
  else if (key === "Ke" && isColor && color.some((each) => each > 0)) material.emissive = color;
  else if (key === "d" && value > 0) material.color[3] = Math.min(value, 1);
  else if (key === "Tr" && value >= 0 && value < 1) material.color[3] = 1 - value;
  else if (key === "Pr" && isShare) material.roughness = value;
  else if (key === "Pm" && isShare) material.metallic = value;
}

async function addMap(
  material: SceneMaterial,
  role: TextureRole,
  line: string,
  pictures: PictureFinder,
): Promise<void> {
  const path = picturePath(line);
  const texture = path ? await pictures.find(path) : undefined;
  if (!texture) return;
  material.textures = { ...material.textures, [role]: texture };
  if (role === "color") material.color = [1, 1, 1, material.color[3]];
  if (role === "emissive") material.emissive = [1, 1, 1];
  if (role === "metallic") material.metallic = 1;
  if (role === "roughness") material.roughness = 1;
}

/** The path of a map's line: what follows its options, blanks and all. */
function picturePath(line: string): string {
  const words = line.trim().split(/\s+/).slice(1);
  while (words[0]?.startsWith("-")) {
    words.shift();
    // An option has up to three values: numbers, on or off.
    while (words.length > 1 && /^(?:[-+.\d][\d.eE+-]*|on|off)$/.test(words[0])) words.shift();
  }
  return words.join(" ");
}
