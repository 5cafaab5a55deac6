import type { PreparedCharacter } from "../../character/character.ts";
import { mean } from "../../math/arrays.ts";
import type { Camera } from "../../picture/camera.ts";
import type { Picture } from "../../picture/picture.ts";
import { encodePng } from "../../picture/png.ts";
import { characterCamera, type RenderOptions } from "../../picture/render-character.ts";
import { renderDominantBones, renderErrorMap, renderHeatMap } from "../../picture/render-maps.ts";
import type { SkinWeights } from "../../weights/skin-weights.ts";
import { poseError, scoringPoses } from "../deformation-error.ts";
import { diagnosisSentence } from "../diagnose.ts";
import type { CharacterResult, Evaluation } from "../evaluation.ts";
import { jointL1, vertexL1 } from "../l1.ts";
import { methodLabel } from "../method-label.ts";
import { formatMetric } from "./html.ts";
import type { ReportPicture, ReportRow, ReportSection } from "./report-html.ts";

/** A character with each method's weights, thinned as for the scores. */
export interface PicturedCharacter {
  row: CharacterResult;
  prepared: PreparedCharacter;
  weights: Map<string, SkinWeights>;
}

/** Errors of the darkest color: L1 of a completely wrong vertex; a twentieth of the size. */
const WORST_L1 = 2;
const WORST_DISTANCE = 0.05;
const POSES_SHOWN = 4;

/** Renders the picture sections of a report for the chosen characters. */
export function pictureSections(
  { methods }: Evaluation,
  choice: PictureChoice,
  pictured: Map<string, PicturedCharacter>,
): ReportSection[] {
  const all = (ids: string[]) => ids.flatMap((id) => pictured.get(id) ?? []);
  const sections: ReportSection[] = [
    {
      title: "Error of each vertex",
      text: "Left: the artist's weights, a color for each joint. Then the L1 error of each vertex, from pale (0) to dark red (2).",
      rows: all(choice.typical).map((character) => errorRow(character, methods)),
    },
    {
      title: "Random poses",
      text: `Poses of the distance error: by the artist's weights, by those of ${methodLabel(methods[0])}, and how far apart the vertices are, dark red from ${WORST_DISTANCE} of the size.`,
      rows: all(choice.posed).flatMap((character) => poseRows(character, methods[0])),
    },
    {
      title: "Bones outside the body, and loose parts",
      text: "Characters whose joints lie mostly outside the body, and characters in many unconnected parts: what a distance measured inside the body cannot see.",
      rows: all(choice.hard).flatMap((character) => [
        errorRow(character, methods),
        posedRow(character, methods),
      ]),
    },
    {
      title: "With and without the smoothing term",
      text: "Weights of the joint at which the term makes the most difference, from pale (0) to red (1).",
      rows: all(choice.smoothing).map((character) => smoothingRow(character, methods)),
    },
    {
      title: `The worst characters of ${methodLabel(methods[0])}`,
      text: "The artist's weights, the predicted ones, and the L1 error of each vertex.",
      rows: all(choice.worst).map((character) => worstRow(character, methods[0])),
    },
  ];
  return sections.filter(({ rows }) => rows.length > 0);
}

function errorRow(pictured: PicturedCharacter, methods: string[]): ReportRow {
  const { row, prepared, weights } = pictured;
  const artist = prepared.character.weights!;
  const errors = methods.flatMap((method): ReportPicture[] => {
    const given = weights.get(method);
    const score = row.results[method]?.score;
    if (!given || !score) return [];
    const caption = `${methodLabel(method)}, L1 ${formatMetric("l1", score.l1)}`;
    return [{ caption, source: errorMap(prepared, vertexL1(given, artist), WORST_L1) }];
  });
  const truth = { caption: "Artist", source: weightMap(prepared, artist) };
  return { caption: row.id, pictures: [truth, ...errors] };
}

/** Artist and methods in the scoring pose in which they differ most. */
function posedRow(pictured: PicturedCharacter, methods: string[]): ReportRow {
  const { row, prepared, weights } = pictured;
  const pose = mostDifferentPose(prepared, [...weights.values()]);
  const options = { pose, camera: poseCamera(prepared, pose) };
  const pictures = artistAnd(pictured, methods).map(({ caption, rows }) => ({
    caption,
    source: weightMap(prepared, rows, options),
  }));
  return { caption: `${row.id}, posed`, pictures };
}

/** The artist's weights and those of the methods, with captions. */
function artistAnd({ prepared, weights }: PicturedCharacter, methods: string[]) {
  const given = methods.flatMap((method) => {
    const rows = weights.get(method);
    return rows ? [{ caption: methodLabel(method), rows }] : [];
  });
  return [{ caption: "Artist", rows: prepared.character.weights! }, ...given];
}

function mostDifferentPose({ character }: PreparedCharacter, predictions: SkinWeights[]) {
  const { mesh, weights } = character;
  const errors = scoringPoses(character).map((pose) => {
    let sum = 0;
    for (const predicted of predictions) {
      for (const error of poseError(mesh.positions, predicted, weights!, pose)) sum += error;
    }
    return { pose, sum };
  });
  return errors.reduce((max, one) => (one.sum > max.sum ? one : max)).pose;
}

function poseRows({ row, prepared, weights }: PicturedCharacter, method: string): ReportRow[] {
  const { mesh, weights: artist, ...character } = prepared.character;
  const given = weights.get(method);
  if (!given) return [];
  const rows: ReportRow[] = [
    { caption: `${row.id}, artist`, pictures: [] },
    { caption: methodLabel(method), pictures: [] },
    { caption: "Distance between the two", pictures: [] },
  ];
  for (const pose of scoringPoses(character, POSES_SHOWN)) {
    const options = { pose, camera: poseCamera(prepared, pose) };
    const errors = poseError(mesh.positions, given, artist!, pose);
    rows[0].pictures.push({ caption: "", source: weightMap(prepared, artist!, options) });
    rows[1].pictures.push({ caption: "", source: weightMap(prepared, given, options) });
    rows[2].pictures.push({
      caption: `mean ${formatMetric("distance", mean(errors))}`,
      source: errorMap(prepared, errors, WORST_DISTANCE, { ...options, poseWeights: given }),
    });
  }
  return rows;
}

function smoothingRow(pictured: PicturedCharacter, methods: string[]): ReportRow {
  const { row, prepared } = pictured;
  const { skeleton } = prepared.character;
  const compared = methods.filter((method) => /paper(-without-smooth)?(\.onnx)?$/.test(method));
  const shown = artistAnd(pictured, compared);
  const [a, b] = shown.slice(-2);
  const changes = jointL1((b ?? a).rows, a.rows, skeleton.names.length);
  const joint = changes.indexOf(Math.max(...changes));
  const pictures = shown.map(({ caption, rows }): ReportPicture => {
    const drawn = renderHeatMap(prepared.character, rows, joint, { size: PICTURE_SIZE });
    return { caption, source: pictureUri(drawn) };
  });
  return { caption: `${row.id}, joint "${skeleton.names[joint]}"`, pictures };
}

function worstRow({ row, prepared, weights }: PicturedCharacter, method: string): ReportRow {
  const artist = prepared.character.weights!;
  const result = row.results[method];
  const given = weights.get(method);
  if (!given || !result?.score) return { caption: row.id, note: result?.error ?? "", pictures: [] };
  const why = result.diagnosis ? ` ${diagnosisSentence(result.diagnosis)}` : "";
  return {
    caption: row.id,
    note: `L1 ${formatMetric("l1", result.score.l1)}.${why}`,
    pictures: [
      { caption: "Artist", source: weightMap(prepared, artist) },
      { caption: "Predicted", source: weightMap(prepared, given) },
      { caption: "L1 error", source: errorMap(prepared, vertexL1(given, artist), WORST_L1) },
    ],
  };
}

/** All pictures of a pose share the camera fitted to the artist's. */
function poseCamera({ character }: PreparedCharacter, pose: Float32Array): Camera {
  return characterCamera(character, { pose, size: PICTURE_SIZE });
}

function weightMap(
  { character }: PreparedCharacter,
  weights: SkinWeights,
  options: RenderOptions = {},
): string {
  const all = { size: PICTURE_SIZE, blend: true, ...options };
  return pictureUri(renderDominantBones(character, weights, all));
}

function errorMap(
  { character }: PreparedCharacter,
  errors: Float32Array,
  worst: number,
  options: RenderOptions = {},
): string {
  return pictureUri(renderErrorMap(character, errors, { size: PICTURE_SIZE, worst, ...options }));
}

/** The characters shown in a report, by id. */
export interface PictureChoice {
  /** About a quarter, a half and three quarters down the list by L1 error. */
  typical: string[];
  posed: string[];
  /** Most weight on joints outside the body, and most vertices in loose parts. */
  hard: string[];
  smoothing: string[];
  worst: string[];
}

const WORST = 6;
const LARGEST = 20000;
const MIN_TRAIT = 0.1;

/** Chooses characters by the scores of the first method, deterministically. */
export function choosePictures({ methods, characters }: Evaluation): PictureChoice {
  const l1 = ({ results }: CharacterResult) => results[methods[0]]?.score?.l1 ?? 0;
  const scored = characters.filter(({ results }) => results[methods[0]]?.score);
  const sorted = scored.toSorted((a, b) => l1(a) - l1(b) || (a.id < b.id ? -1 : 1));
  const small = sorted.filter(({ vertices }) => vertices <= LARGEST);
  const at = (fraction: number) => small[Math.floor(fraction * (small.length - 1))]?.id;
  const typical = [...new Set([at(0.25), at(0.5), at(0.75)])].filter((id) => id !== undefined);
  const posed = [at(0.4)].filter((id) => id !== undefined);
  const without = methods.some((method) => /paper-without-smooth(\.onnx)?$/.test(method));
  return {
    typical,
    posed,
    hard: [...new Set([mostOf(small, "outOfBody"), mostOf(small, "loose")])].filter(
      (id) => id !== undefined,
    ),
    smoothing: without ? typical : [],
    worst: sorted
      .slice(-WORST)
      .reverse()
      .map(({ id }) => id),
  };
}

function mostOf(characters: CharacterResult[], trait: "outOfBody" | "loose"): string | undefined {
  const value = ({ traits }: CharacterResult) => traits?.[trait] ?? 0;
  const [most] = characters.toSorted((a, b) => value(b) - value(a) || (a.id < b.id ? -1 : 1));
  return most && value(most) >= MIN_TRAIT ? most.id : undefined;
}

const PICTURE_SIZE = 260;

function pictureUri(picture: Picture): string {
  const bytes = encodePng(picture);
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return `data:image/png;base64,${btoa(binary)}`;
}
