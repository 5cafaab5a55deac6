import { add, normalize, scale } from "../math/vec3.ts";
import type { Mesh } from "../mesh/mesh.ts";
import { vertexNormals } from "../mesh/normals.ts";
import { type Camera, enlargeCamera, project } from "./camera.ts";
import { fromLinear, toLinear } from "./color-maps.ts";
import { BACKGROUND, createPicture, type Picture } from "./picture.ts";

/** Options for {@link renderMesh}. */
export interface RenderMeshOptions {
  /** Pixels drawn per pixel kept, in each direction; 2 unless told. */
  samples?: number;
  /** False: plain colors without light, as a legend or a pixel test needs them. */
  shading?: boolean;
}

/**
 * Draws a mesh with a color per vertex: nearest surface wins, soft light, smooth edges.
 *
 * Sides are not told apart: a triangle seen from behind is lit as if it faced the viewer.
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
    // Light red, green, blue, then the normal.
    values: new Float32Array(width * height * CHANNELS),
  };
  const { positions, triangles } = mesh;
  const normals = vertexNormals(mesh);
  const count = positions.length / 3;
  const places = new Float64Array(positions.length);
  const attributes = new Float32Array(count * CHANNELS);
  for (let vertex = 0; vertex < count; vertex++) {
    places.set(project(camera, positions.subarray(vertex * 3, vertex * 3 + 3)), vertex * 3);
    for (let k = 0; k < 3; k++) {
      attributes[vertex * CHANNELS + k] = toLinear(colors[vertex * 3 + k]);
      attributes[vertex * CHANNELS + 3 + k] = normals[vertex * 3 + k];
    }
  }
  for (let i = 0; i < triangles.length; i += 3) {
    drawTriangle(layers, places, attributes, triangles[i], triangles[i + 1], triangles[i + 2]);
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

/** Light from the sky and the ground that comes from everywhere. */
const AMBIENT = { sky: 0.42, ground: 0.24 };

/** Strength and sharpness of the highlight of the key light. */
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
    let x = values[from + 3];
    let y = values[from + 4];
    let z = values[from + 5];
    // Turned to the viewer, whichever way the triangle faces.
    const side = x * back[0] + y * back[1] + z * back[2] < 0 ? -1 : 1;
    const s = side / (Math.sqrt(x * x + y * y + z * z) || 1);
    x *= s;
    y *= s;
    z *= s;
    const sky = AMBIENT.ground + (AMBIENT.sky - AMBIENT.ground) * (0.5 + 0.5 * y);
    const lamps =
      0.66 * wrap(x * key[0] + y * key[1] + z * key[2]) +
      0.2 * wrap(x * fill[0] + y * fill[1] + z * fill[2]) +
      0.16 * wrap(x * rim[0] + y * rim[1] + z * rim[2]);
    const shine = Math.max(0, x * half[0] + y * half[1] + z * half[2]);
    const gloss = GLOSS.strength * shine ** GLOSS.sharpness;
    for (let k = 0; k < 3; k++) {
      out[to + k] = (values[from + k] * (sky + lamps) + gloss) * open;
    }
  };
}

/** Light that reaches a little around the edge looks softer than a lamp's. */
function wrap(cosine: number): number {
  const wrapped = Math.max(0, (cosine + 0.25) / 1.25);
  return wrapped * wrapped;
}

/** Steps of the table from light to channel; finer than the 8 bits of a channel anywhere. */
const TONES = 8192;

const CHANNEL_OF_LIGHT = Uint8Array.from({ length: TONES + 1 }, (_, i) =>
  Math.round(fromLinear(i / TONES)),
);

/** Averages the samples of each pixel in linear light. */
function shrink(lit: Float32Array, width: number, samples: number, out: Picture): Picture {
  const share = TONES / (samples * samples);
  for (let y = 0; y < out.height; y++) {
    for (let x = 0; x < out.width; x++) {
      const to = (y * out.width + x) * 4;
      for (let k = 0; k < 3; k++) {
        let sum = 0;
        for (let j = 0; j < samples; j++) {
          const from = ((y * samples + j) * width + x * samples) * 3 + k;
          for (let i = 0; i < samples; i++) sum += Math.min(1, lit[from + i * 3]);
        }
        out.pixels[to + k] = CHANNEL_OF_LIGHT[Math.round(sum * share)];
      }
    }
  }
  return out;
}

/** What a pixel holds besides its depth: light and normal. */
const CHANNELS = 6;

/** Buffers a mesh is drawn into. */
export interface Layers {
  width: number;
  height: number;
  /** width×height, Infinity where nothing was drawn. */
  depth: Float32Array;
  /** width×height×CHANNELS. */
  values: Float32Array;
}

/**
 * Fills the pixels whose middle lies in a triangle, where it is the nearest so far.
 *
 * A middle exactly on a side belongs to both triangles of that side, so no gap can open.
 *
 * @param places V×3, x and y in pixels, and depth
 * @param attributes V×CHANNELS
 */
function drawTriangle(
  layers: Layers,
  places: Float64Array,
  attributes: Float32Array,
  a: number,
  b: number,
  c: number,
): void {
  const { width, height, depth, values } = layers;
  const [ax, ay, az] = [places[a * 3], places[a * 3 + 1], places[a * 3 + 2]];
  const [bx, by, bz] = [places[b * 3], places[b * 3 + 1], places[b * 3 + 2]];
  const [cx, cy, cz] = [places[c * 3], places[c * 3 + 1], places[c * 3 + 2]];
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

/** Directions and distances at which neighbors on both sides are asked, spread over a disc. */
const PROBES = Array.from({ length: 10 }, (_, i) => {
  const [angle, reach] = [i * 2.399963, Math.sqrt((i + 0.5) / 10)];
  return [Math.cos(angle) * reach, Math.sin(angle) * reach];
});

/** Radius of the disc as a share of the picture's side. */
const REACH = 0.022;

/** Light lost where every neighbor stands in front. */
const DARKEST = 0.75;

/**
 * How much light the surroundings leave at each drawn pixel: less in folds and next to what
 * stands in front, so that shapes and their order are easier to read.
 *
 * Based on: Mittring. Finding Next Gen. 2007 (screen-space ambient occlusion).
 *
 * @param scale pixels per unit of depth
 * @returns width×height, 1 where open
 */
export function occlusion(layers: Layers, scale: number): Float32Array {
  const { width, height, depth } = layers;
  const radius = REACH * Math.max(width, height);
  const offsets = Int32Array.from(PROBES.flat(), (value) => Math.round(value * radius));
  const range = radius / scale;
  /** How much nearer than `here` the surface at x, y is; NaN where there is none. */
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
        // Asking both sides tells a slope (one nearer, one further) from a fold.
        const front = frontness(x + dx, y + dy, depth[at]);
        const behind = frontness(x - dx, y - dy, depth[at]);
        // Not a number where either is empty, and then no rise: outlines stay bright.
        const rise = (front + behind) / range;
        if (rise > 0.05) hidden += Math.min(1, rise) / (1 + Math.max(0, rise - 2) ** 2);
      }
      open[at] = 1 - DARKEST * Math.min(1, hidden / PROBES.length);
    }
  }
  return open;
}
