import { power } from "../math/power.ts";
import { add, normalize, scale } from "../math/vec3.ts";
import type { Mesh } from "../mesh/mesh.ts";
import { vertexNormals } from "../mesh/normals.ts";
import { type Camera, enlargeCamera, project } from "./camera.ts";
import { fromLinear, toLinear } from "./color-maps.ts";
import { BACKGROUND, createPicture, type Picture } from "./picture.ts";

/** Options for {@link renderMesh}. */
export interface RenderMeshOptions {
  /** Samples per pixel, in each direction; default 2. */
  samples?: number;
  /** False: plain colors without light, for legends and tests. */
  shading?: boolean;
}

/**
 * Draws a mesh with a color per vertex: depth-tested, softly lit, antialiased. Triangles are two-sided.
 *
 * @param colors V×3, red, green, blue in 0..255
 */
export function renderMesh(
  mesh: Mesh,
  colors: ArrayLike<number>,
  camera: Camera,
  options: RenderMeshOptions = {},
): Picture {
  const { samples = 2, shading = true } = options;
  const layers = rasterize(mesh, colors, enlargeCamera(camera, samples));
  const shade = shading ? occlusion(layers, camera.scale * samples) : undefined;
  const lit = light(layers, camera, shade);
  return shrink(lit, layers.width, samples, createPicture(camera.width, camera.height));
}

function rasterize(mesh: Mesh, colors: ArrayLike<number>, camera: Camera): Layers {
  const { width, height } = camera;
  const layers: Layers = {
    width,
    height,
    depth: new Float32Array(width * height).fill(Infinity),
    // Linear red, green, blue, then the normal.
    values: new Float32Array(width * height * CHANNELS),
  };
  const { positions, triangles } = mesh;
  const normals = vertexNormals(mesh);
  const count = positions.length / 3;
  const projected = new Float64Array(positions.length);
  const attributes = new Float32Array(count * CHANNELS);
  for (let vertex = 0; vertex < count; vertex++) {
    projected.set(project(camera, positions.subarray(vertex * 3, vertex * 3 + 3)), vertex * 3);
    for (let k = 0; k < 3; k++) {
      attributes[vertex * CHANNELS + k] = toLinear(colors[vertex * 3 + k]);
      attributes[vertex * CHANNELS + 3 + k] = normals[vertex * 3 + k];
    }
  }
  for (let i = 0; i < triangles.length; i += 3) {
    drawTriangle(layers, projected, attributes, triangles[i], triangles[i + 1], triangles[i + 2]);
  }
  return layers;
}

/** Linear light per sample, width×height×3. */
function light(layers: Layers, camera: Camera, shade: Float32Array | undefined): Float32Array {
  const { depth, values } = layers;
  const shader = shaderOf(camera);
  const empty = BACKGROUND.map(toLinear);
  const out = new Float32Array(depth.length * 3);
  for (let i = 0; i < depth.length; i++) {
    const at = i * CHANNELS;
    const drawn = depth[i] < Infinity;
    if (drawn && shade) shader(out, i * 3, values, at, shade[i]);
    else for (let k = 0; k < 3; k++) out[i * 3 + k] = drawn ? values[at + k] : empty[k];
  }
  return out;
}

const AMBIENT = { sky: 0.42, ground: 0.24 };

/** Strength and exponent of the key light's highlight. */
const GLOSS = { strength: 0.07, sharpness: 40 };

type Shader = (
  out: Float32Array,
  to: number,
  values: Float32Array,
  from: number,
  open: number,
) => void;

/** A key light from the upper left, a weak fill from the right, a rim light from behind above. */
function shaderOf({ right, up, back }: Camera): Shader {
  const towards = (x: number, y: number, z: number) =>
    normalize(add(add(scale(right, x), scale(up, y)), scale(back, z)));
  const key = towards(-0.55, 0.75, 0.75);
  const fill = towards(0.9, 0.15, 0.55);
  const rim = towards(0.25, 0.8, -0.55);
  const half = normalize(add(key, back));
  return (out, to, values, from, open) => {
    // Flipped towards the viewer, whichever way the triangle faces.
    const [nx, ny, nz] = [values[from + 3], values[from + 4], values[from + 5]];
    const side = nx * back[0] + ny * back[1] + nz * back[2] < 0 ? -1 : 1;
    const s = side / (Math.sqrt(nx * nx + ny * ny + nz * nz) || 1);
    const [x, y, z] = [nx * s, ny * s, nz * s];
    const sky = AMBIENT.ground + (AMBIENT.sky - AMBIENT.ground) * (0.5 + 0.5 * y);
    const lamps =
      0.66 * wrap(x * key[0] + y * key[1] + z * key[2]) +
      0.2 * wrap(x * fill[0] + y * fill[1] + z * fill[2]) +
      0.16 * wrap(x * rim[0] + y * rim[1] + z * rim[2]);
    const shine = Math.max(0, x * half[0] + y * half[1] + z * half[2]);
    const gloss = GLOSS.strength * power(shine, GLOSS.sharpness);
    for (let k = 0; k < 3; k++) {
      out[to + k] = (values[from + k] * (sky + lamps) + gloss) * open;
    }
  };
}

/** Wrapped diffuse light, softer than a lamp's. */
function wrap(cosine: number): number {
  const wrapped = Math.max(0, (cosine + 0.25) / 1.25);
  return wrapped * wrapped;
}

/** Entries of the table from light to channel; finer than 8 bits everywhere. */
const TONES = 8192;

const CHANNEL_OF_LIGHT = Uint8Array.from({ length: TONES + 1 }, (_, i) =>
  Math.round(fromLinear(i / TONES)),
);

/** Averages the samples of each pixel in linear light. */
function shrink(lit: Float32Array, width: number, samples: number, out: Picture): Picture {
  const factor = TONES / (samples * samples);
  for (let y = 0; y < out.height; y++) {
    for (let x = 0; x < out.width; x++) {
      const to = (y * out.width + x) * 4;
      for (let k = 0; k < 3; k++) {
        let sum = 0;
        for (let j = 0; j < samples; j++) {
          const from = ((y * samples + j) * width + x * samples) * 3 + k;
          for (let i = 0; i < samples; i++) sum += Math.min(1, lit[from + i * 3]);
        }
        out.pixels[to + k] = CHANNEL_OF_LIGHT[Math.round(sum * factor)];
      }
    }
  }
  return out;
}

/** Values of a pixel in addition to its depth: light and normal. */
const CHANNELS = 6;

/** Buffers of the rasterizer. */
export interface Layers {
  width: number;
  height: number;
  /** width×height, Infinity where nothing was drawn. */
  depth: Float32Array;
  /** width×height×CHANNELS. */
  values: Float32Array;
}

/**
 * Fills the pixels whose center lies in a triangle, if it is the nearest so far. A center exactly on an edge
 * belongs to both triangles, so no gap can open.
 *
 * @param projected V×3, x and y in pixels, and depth
 * @param attributes V×CHANNELS
 */
function drawTriangle(
  layers: Layers,
  projected: Float64Array,
  attributes: Float32Array,
  a: number,
  b: number,
  c: number,
): void {
  const { width, height, depth, values } = layers;
  const [ax, ay, az] = [projected[a * 3], projected[a * 3 + 1], projected[a * 3 + 2]];
  const [bx, by, bz] = [projected[b * 3], projected[b * 3 + 1], projected[b * 3 + 2]];
  const [cx, cy, cz] = [projected[c * 3], projected[c * 3 + 1], projected[c * 3 + 2]];
  const area = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay);
  if (!(Math.abs(area) > 0)) return;
  const left = Math.max(0, Math.ceil(Math.min(ax, bx, cx) - 0.5));
  const right = Math.min(width - 1, Math.floor(Math.max(ax, bx, cx) - 0.5));
  const top = Math.max(0, Math.ceil(Math.min(ay, by, cy) - 0.5));
  const bottom = Math.min(height - 1, Math.floor(Math.max(ay, by, cy) - 0.5));
  for (let y = top; y <= bottom; y++) {
    for (let x = left; x <= right; x++) {
      const [px, py] = [x + 0.5, y + 0.5];
      const wb = ((px - ax) * (cy - ay) - (cx - ax) * (py - ay)) / area;
      const wc = ((bx - ax) * (py - ay) - (px - ax) * (by - ay)) / area;
      const wa = 1 - wb - wc;
      if (wa < 0 || wb < 0 || wc < 0) continue;
      const z = wa * az + wb * bz + wc * cz;
      const at = y * width + x;
      if (z >= depth[at]) continue;
      depth[at] = z;
      for (let k = 0; k < CHANNELS; k++) {
        values[at * CHANNELS + k] =
          wa * attributes[a * CHANNELS + k] +
          wb * attributes[b * CHANNELS + k] +
          wc * attributes[c * CHANNELS + k];
      }
    }
  }
}

/** Offsets of the sampled neighbors, spread over a disc. */
const PROBES = Array.from({ length: 10 }, (_, i) => {
  const [angle, reach] = [i * 2.399963, Math.sqrt((i + 0.5) / 10)];
  return [Math.cos(angle) * reach, Math.sin(angle) * reach];
});

/** Radius of the disc as a fraction of the picture's side. */
const REACH = 0.022;

/** Light removed if every neighbor is in front. */
const DARKEST = 0.75;

/**
 * Computes screen-space ambient occlusion: less light in folds and next to what is in front, so that shapes
 * are easier to read.
 *
 * Based on: Mittring. Finding Next Gen. 2007.
 *
 * @param scale pixels per unit of depth
 * @returns width×height, 1 if not occluded
 */
export function occlusion(layers: Layers, scale: number): Float32Array {
  const { width, height, depth } = layers;
  const radius = REACH * Math.max(width, height);
  const offsets = Int32Array.from(PROBES.flat(), (value) => Math.round(value * radius));
  const range = radius / scale;
  /** How much nearer than `here` the surface at x, y is; NaN if there is none. */
  const frontness = (x: number, y: number, here: number): number => {
    if (x < 0 || y < 0 || x >= width || y >= height) return Number.NaN;
    const there = depth[y * width + x];
    return there === Infinity ? Number.NaN : here - there;
  };
  const open = new Float32Array(depth.length).fill(1);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * width + x;
      if (depth[at] === Infinity) continue;
      let hidden = 0;
      for (let probe = 0; probe < offsets.length; probe += 2) {
        const dx = offsets[probe];
        const dy = offsets[probe + 1];
        // Both sides together distinguish a slope (one nearer, one farther) from a fold.
        const front = frontness(x + dx, y + dy, depth[at]);
        const behind = frontness(x - dx, y - dy, depth[at]);
        // NaN if either is empty, and then no occlusion: outlines stay bright.
        const rise = (front + behind) / range;
        if (rise > 0.05) hidden += Math.min(1, rise) / (1 + Math.max(0, rise - 2) ** 2);
      }
      open[at] = 1 - DARKEST * Math.min(1, hidden / PROBES.length);
    }
  }
  return open;
}
