import { baseName } from "./file-name.ts";
import type { ResolveUri } from "./gltf/gltf-source.ts";
import { isPicture, losePicture, type MissingPictures } from "./is-picture.ts";
import type { SceneTexture } from "./scene.ts";

/** The pictures beside a file, each fetched once, so that the same path gives the same bytes. */
export interface PictureFinder extends MissingPictures {
  /** What lies at a path, be it a picture or not. */
  fetch(path: string): Promise<Uint8Array | undefined>;
  /** The picture at a path; what glTF cannot hold is lost, what is not there is noted too. */
  find(path: string): Promise<SceneTexture | undefined>;
}

/** Begins to look for pictures; `without` is told of those that cannot be taken. */
export function findPictures(
  resolve: ResolveUri | undefined,
  without: MissingPictures,
): PictureFinder {
  const fetched = new Map<string, Promise<Uint8Array | undefined>>();
  const fetch = (path: string) => {
    const known = fetched.get(path) ?? Promise.resolve(resolve?.(path, "picture"));
    fetched.set(path, known);
    return known;
  };
  const find = async (path: string) => {
    const picture = await fetch(path);
    if (picture && isPicture(picture)) return { picture, name: baseName(path) };
    losePicture(without, path, picture !== undefined);
    return undefined;
  };
  return { ...without, fetch, find };
}
