import { baseName } from "../file-name.ts";
import type { ResolveUri } from "../gltf/gltf-source.ts";
import { isPicture, losePicture, type MissingPictures } from "../is-picture.ts";
import type { Losses } from "../losses.ts";
import { belowOf, type FbxDocument, type FbxObject } from "./fbx-document.ts";
import { childOf, embeddedBytes, textOf } from "./fbx-node.ts";

/** The pictures of an FBX: embedded in it, or beside it. */
export interface FbxPictures {
  /** The picture of a texture, the same bytes for the same picture; undefined where there is none. */
  find(texture: FbxObject): Promise<{ picture: Uint8Array; name: string } | undefined>;
  lost: Losses;
}

/** Looks pictures up as textures ask for them; what is missing is noted, what glTF cannot hold is lost. */
export function fbxPictures(
  document: FbxDocument,
  resolve: ResolveUri | undefined,
  without: MissingPictures,
): FbxPictures {
  const embedded = embeddedPictures(document);
  const fetched = new Map<string, Promise<Uint8Array | undefined>>();
  const fetchOnce = (path: string) => {
    const known = fetched.get(path) ?? Promise.resolve(resolve?.(path, "picture"));
    fetched.set(path, known);
    return known;
  };
  const find: FbxPictures["find"] = async (texture) => {
    const sources = [...belowOf(document, texture, "Video"), texture];
    const paths = sources.flatMap(pathsOf);
    const name = baseName(paths[0] ?? texture.name);
    const inside =
      sources.map(contentOf).find((content) => content !== undefined) ??
      paths.map((path) => embedded.get(baseName(path))).find((content) => content !== undefined);
    if (inside && isPicture(inside)) return { picture: inside, name };
    let isThere = inside !== undefined;
    for (const path of new Set(paths)) {
      const bytes = await fetchOnce(encodeURI(path.replaceAll("\\", "/")));
      if (bytes && isPicture(bytes)) return { picture: bytes, name };
      isThere ||= bytes !== undefined;
    }
    if (isThere || paths.length > 0) losePicture(without, paths[0] ?? name, isThere);
    return undefined;
  };
  return { find, lost: without.lost };
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
