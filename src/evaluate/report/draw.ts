import type { Mesh } from "../../mesh/mesh.ts";
import { type Camera, fitCamera } from "../../picture/camera.ts";
import { boneColour, type ColourMap, errorColour, heatColour } from "../../picture/colour-maps.ts";
import type { Colour } from "../../picture/picture.ts";
import { encodePng } from "../../picture/png.ts";
import { renderMesh } from "../../picture/render-mesh.ts";
import type { SkinWeights } from "../../weights/skin-weights.ts";

const SIZE = 260;
const NO_WEIGHT: Colour = [20, 20, 20];

/** A camera for the report's small pictures that shows all the points. */
export function reportCamera(points: Float32Array): Camera {
  return fitCamera(points, SIZE, SIZE);
}

/** The mesh with errors per vertex from pale (0) to dark red (`worst` and above). */
export function drawErrors(
  mesh: Mesh,
  errors: Float32Array,
  worst: number,
  camera: Camera,
): string {
  return drawValues(mesh, errors, worst, errorColour, camera);
}

/** The mesh with the weights of one joint as a heat map. */
export function drawJoint(mesh: Mesh, rows: SkinWeights, joint: number, camera: Camera): string {
  const values = new Float32Array(mesh.positions.length / 3);
  rows.weights.forEach((weight, slot) => {
    if (rows.joints[slot] === joint) values[Math.floor(slot / rows.influences)] += weight;
  });
  return drawValues(mesh, values, 1, heatColour, camera);
}

/** The mesh in the colours of its joints, mixed by weight; black where there is none. */
export function drawWeights(mesh: Mesh, rows: SkinWeights, camera: Camera): string {
  const colours = new Float32Array(mesh.positions.length);
  for (let v = 0; v < mesh.positions.length / 3; v++) {
    const mixed = [0, 0, 0];
    let sum = 0;
    for (let slot = v * rows.influences; slot < (v + 1) * rows.influences; slot++) {
      const weight = rows.weights[slot];
      if (weight === 0) continue;
      sum += weight;
      boneColour(rows.joints[slot]).forEach((channel, i) => {
        mixed[i] += weight * channel;
      });
    }
    colours.set(sum > 0 ? mixed.map((channel) => channel / sum) : NO_WEIGHT, v * 3);
  }
  return dataUri(mesh, colours, camera);
}

function drawValues(
  mesh: Mesh,
  values: Float32Array,
  top: number,
  map: ColourMap,
  camera: Camera,
): string {
  const colours = new Float32Array(values.length * 3);
  values.forEach((value, v) => {
    colours.set(map(value / top), v * 3);
  });
  return dataUri(mesh, colours, camera);
}

function dataUri(mesh: Mesh, colours: Float32Array, camera: Camera): string {
  const bytes = encodePng(renderMesh(mesh, colours, camera));
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return `data:image/png;base64,${btoa(binary)}`;
}
