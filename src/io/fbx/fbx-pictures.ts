import { baseName } from "../file-name.ts";
import type { PictureFinder } from "../find-pictures.ts";
import { isPicture, losePicture } from "../is-picture.ts";
import type { SceneTexture } from "../scene.ts";
import { childOf } from "../tree.ts";
import { belowOf, type FbxDocument, type FbxObject } from "./fbx-document.ts";
import { embeddedBytes, textOf } from "./fbx-node.ts";

/** The picture of a texture, the same bytes for the same picture; undefined where there is none. */
export type FindPicture = (texture: FbxObject) => Promise<SceneTexture | undefined>;

/**
 * Looks pictures up, embedded in an FBX or beside it, as textures ask for them; what is missing is noted,
 * what glTF cannot hold is lost.
 */
export function fbxPictures(document: FbxDocument, beside: PictureFinder): FindPicture {
  const embedded = embeddedPictures(document);
  return async (texture) => {
    const sources = [...belowOf(document, texture, "Video"), texture];
    const paths = sources.flatMap(pathsOf);
    const name = baseName(paths[0] ?? texture.name);
    const inside =
      sources.map(contentOf).find((content) => content !== undefined) ??
      paths.map((path) => embedded.get(baseName(path))).find((content) => content !== undefined);
    if (inside && isPicture(inside)) return { picture: inside, name };
    let isThere = inside !== undefined;
    for (const path of new Set(paths)) {
      const bytes = await beside.fetch(encodeURI(path.replaceAll("\\", "/")));
      if (bytes && isPicture(bytes)) return { picture: bytes, name };
      isThere ||= bytes !== undefined;
    }
    if (isThere || paths.length > 0) losePicture(beside, paths[0] ?? name, isThere);
    return undefined;
  };
}

/** Where a texture or video says its picture is; some exporters leave a mere ".." there. */
function pathsOf({ node }: FbxObject): string[] {
  return ["RelativeFilename", "FileName", "Filename"]
    .map((key) => textOf(node, key))
    .filter((path) => /[^./\\]/.test(path));
}

function contentOf({ node }: FbxObject): Uint8Array | undefined {
  const content = childOf(node, "Content");
  return content && embeddedBytes(content);
}

/** By file name, since only one of several videos of one picture may hold it. */
function embeddedPictures({ objects }: FbxDocument): Map<string, Uint8Array> {
  const found = new Map<string, Uint8Array>();
  for (const object of objects.values()) {
    const content = object.kind === "Video" ? contentOf(object) : undefined;
    if (content) for (const path of pathsOf(object)) found.set(baseName(path), content);
  }
  return found;
}
