import type { ResolveUri } from "../gltf/gltf-source.ts";
import { isPicture, missingNote } from "../is-picture.ts";
import type { SceneMaterial } from "../scene.ts";
import { belowOf, type FbxDocument, type FbxObject } from "./fbx-document.ts";
import { childOf, numberOf, textOf, vectorOf } from "./fbx-node.ts";

/** Colour and colour texture of an FBX material; the picture is embedded, or beside the file. */
export async function readFbxMaterial(
  document: FbxDocument,
  material: FbxObject,
  resolve: ResolveUri | undefined,
  notes: Set<string>,
): Promise<SceneMaterial> {
  const { node, name } = material;
  const [r, g, b] = vectorOf(node, "DiffuseColor", vectorOf(node, "Diffuse", [0.8, 0.8, 0.8]));
  const opacity = numberOf(node, "Opacity", 1 - numberOf(node, "TransparencyFactor", 0));
  // Exporters disagree on whether TransparencyFactor 1 means glass or not; all but clear values are kept.
  const alpha = opacity > 0.01 ? Math.min(opacity, 1) : 1;
  const texture = await colourPicture(document, material, resolve, notes);
  const share = (value: number) => Math.min(Math.max(value, 0), 1);
  // A texture replaces the colour, as FBX has it; glTF would multiply them.
  const color: SceneMaterial["color"] = texture
    ? [1, 1, 1, alpha]
    : [share(r), share(g), share(b), alpha];
  return { name, color, ...(texture ? { texture } : {}) };
}

async function colourPicture(
  document: FbxDocument,
  material: FbxObject,
  resolve: ResolveUri | undefined,
  notes: Set<string>,
): Promise<Uint8Array | undefined> {
  const textures = (document.below.get(material.id) ?? []).filter(
    ({ object, property }) =>
      object.kind === "Texture" && (property === "" || /diffuse|base_?color/i.test(property)),
  );
  let wanted: string | undefined;
  for (const { object } of textures) {
    for (const source of [...belowOf(document, object, "Video"), object]) {
      const content = childOf(source.node, "Content")?.values[0];
      if (content instanceof Uint8Array && isPicture(content)) return content;
      for (const key of ["RelativeFilename", "FileName", "Filename"]) {
        const path = textOf(source.node, key);
        // Some exporters leave a mere ".." here.
        if (!/[^./\\]/.test(path)) continue;
        const bytes = await resolve?.(encodeURI(path.replaceAll("\\", "/")), "picture");
        if (bytes && isPicture(bytes)) return bytes;
        wanted ??= path;
      }
    }
  }
  if (wanted !== undefined) notes.add(missingNote("picture", wanted));
  return undefined;
}
