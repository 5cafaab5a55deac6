import { zlibSync } from "fflate";
import { joinArrays } from "../math/join-arrays.ts";
import type { Picture } from "./picture.ts";

const SIGNATURE = [137, 80, 78, 71, 13, 10, 26, 10];

/** Colour type 6 (red, green, blue, opacity), 8 bits a channel. */
const BITS_AND_TYPE = [8, 6];

/** The filter "up": each byte less the one above it, which suits flat backgrounds and soft shading. */
const FILTER_UP = 2;

/** The bytes of a PNG file of a picture; the same picture gives the same bytes. */
export function encodePng(picture: Picture): Uint8Array {
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, picture.width);
  view.setUint32(4, picture.height);
  header.set(BITS_AND_TYPE, 8);
  const data = zlibSync(filterRows(picture), { level: 9 });
  return joinArrays(Uint8Array, [
    Uint8Array.from(SIGNATURE),
    chunk("IHDR", header),
    chunk("IDAT", data),
    chunk("IEND", new Uint8Array(0)),
  ]);
}

function filterRows({ width, height, pixels }: Picture): Uint8Array {
  const stride = width * 4;
  const rows = new Uint8Array(height * (stride + 1));
  for (let y = 0; y < height; y++) {
    rows[y * (stride + 1)] = FILTER_UP;
    for (let i = 0; i < stride; i++) {
      const at = y * stride + i;
      rows[y * (stride + 1) + 1 + i] = pixels[at] - (y > 0 ? pixels[at - stride] : 0);
    }
  }
  return rows;
}

function chunk(name: string, data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(data.length + 12);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, data.length);
  for (let i = 0; i < 4; i++) bytes[4 + i] = name.charCodeAt(i);
  bytes.set(data, 8);
  view.setUint32(data.length + 8, crc32(bytes.subarray(4, data.length + 8)));
  return bytes;
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let c = byte;
  for (let bit = 0; bit < 8; bit++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c;
});

/** The checksum of PNG and zip. */
function crc32(bytes: Uint8Array): number {
  let c = 0xffffffff;
  for (const byte of bytes) c = CRC_TABLE[(c ^ byte) & 255] ^ (c >>> 8);
  return (c ^ 0xffffffff) >>> 0;
}
