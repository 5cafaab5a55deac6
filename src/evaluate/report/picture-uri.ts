import type { Picture } from "../../picture/picture.ts";
import { encodePng } from "../../picture/png.ts";

/** Pixels of the report's small pictures. */
export const PICTURE_SIZE = 260;

/** A picture as a `data:` address. */
export function pictureUri(picture: Picture): string {
  const bytes = encodePng(picture);
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return `data:image/png;base64,${btoa(binary)}`;
}
