import type { PreparedCharacter } from "../../character/character.ts";
import { mean } from "../../math/arrays.ts";
import type { Camera } from "../../picture/camera.ts";
import type { Picture } from "../../picture/picture.ts";
import { encodePng } from "../../picture/png.ts";
import { characterCamera, type RenderOptions } from "../../picture/render-character.ts";
import { renderDominantBones, renderErrorMap } from "../../picture/render-maps.ts";
import type { SkinWeights } from "../../weights/skin-weights.ts";
import { poseError, scoringPoses } from "../deformation-error.ts";
import { diagnosisSentence } from "../diagnose.ts";
import type { CharacterResult, Evaluation, Traits } from "../evaluate-character.ts";
import { vertexL1 } from "../metrics.ts";
import { formatMetric, methodLabel } from "./html.ts";
import type { ReportPicture, ReportRow, ReportSection } from "./report-html.ts";

/** A character and its weights by method, pruned as for the scores. */
export interface PicturedCharacter {
  row: CharacterResult;
  prepared: PreparedCharacter;
  weights: Map<string, SkinWeights>;
}

/** Errors drawn darkest: L1 of a completely wrong vertex; distance in longest sides. */
const WORST_L1 = 2;
const WORST_DISTANCE = 0.05;
const POSES_SHOWN = 4;

/** Returns the picture sections of a report. */
export function pictureSections(
  { methods }: Evaluation,
  choice: PictureChoice,
  pictured: Map<string, PicturedCharacter>,
): ReportSection[] {
  const all = (ids: string[]) => ids.flatMap((id) => pictured.get(id) ?? []);
  const sections: ReportSection[] = [
    {
      title: "Error of each vertex",
      text: "Left: the artist's weights, one color per joint. Right: the L1 error of each vertex, from pale (0) to dark red (2).",
      rows: all(choice.typical).map((character) => errorRow(character, methods)),
    },
    {
      title: "Random poses",
      text: `Poses of the distance error: with the artist's weights, with the weights of ${methodLabel(methods[0])}, and the distance between the two, dark red from ${WORST_DISTANCE} of the character's size.`,
      rows: all(choice.posed).flatMap((character) => poseRows(character, methods[0])),
    },
    {
      title: "Bones outside the body, and loose parts",
      text: "Characters with most joints outside the body, and characters of many unconnected parts, which a distance measured inside the body cannot handle.",
      rows: all(choice.hard).flatMap((character) => [
        errorRow(character, methods),
        posedRow(character, methods),
      ]),
    },
    {
      title: `The worst characters of ${methodLabel(methods[0])}`,
      text: "The artist's weights, the predicted weights, and the L1 error of each vertex.",
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

/** Artist and methods in the pose with the largest errors. */
function posedRow({ row, prepared, weights }: PicturedCharacter, methods: string[]): ReportRow {
  const pose = worstPose(prepared, [...weights.values()]);
  const options = { pose, camera: poseCamera(prepared, pose) };
  const picture = (caption: string, rows: SkinWeights) => ({
    caption,
    source: weightMap(prepared, rows, options),
  });
  const predicted = methods.flatMap((method) => {
    const rows = weights.get(method);
    return rows ? [picture(methodLabel(method), rows)] : [];
  });
  const artist = picture("Artist", prepared.character.weights!);
  return { caption: `${row.id}, posed`, pictures: [artist, ...predicted] };
}

function worstPose({ character }: PreparedCharacter, predictions: SkinWeights[]): Float32Array {
  const { mesh, weights } = character;
  const errors = scoringPoses(character).map((pose) => {
    let sum = 0;
    for (const predicted of predictions) {
      for (const error of poseError(mesh.positions, predicted, weights!, pose)) sum += error;
    }
    return { pose, sum };
  });
  return errors.reduce((worst, one) => (one.sum > worst.sum ? one : worst)).pose;
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

/** Returns the camera that fits the artist's pose, shared by all pictures of that pose. */
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

/** Ids of the characters a report shows pictures of. */
export interface PictureChoice {
  /** At the quartiles of the L1 error. */
  typical: string[];
  posed: string[];
  /** With the most weight on joints outside the body, and the most vertices in loose parts. */
  hard: string[];
  /** Highest L1 error first. */
  worst: string[];
}

const WORST = 6;
/** Maximum vertices; pictures of larger characters cost more and show no more. */
const LARGEST = 20000;
/** Minimum value of a trait worth showing. */
const MIN_TRAIT = 0.1;

/** Chooses by the scores of the first method; deterministic. */
export function choosePictures({ methods, characters }: Evaluation): PictureChoice {
  const l1 = ({ results }: CharacterResult) => results[methods[0]]?.score?.l1 ?? 0;
  const scored = characters.filter(({ results }) => results[methods[0]]?.score);
  const sorted = scored.toSorted((a, b) => l1(a) - l1(b) || (a.id < b.id ? -1 : 1));
  const small = sorted.filter(({ vertices }) => vertices <= LARGEST);
  const at = (fraction: number) => small[Math.floor(fraction * (small.length - 1))]?.id;
  const known = (ids: (string | undefined)[]) => [...new Set(ids)].filter((id) => id !== undefined);
  return {
    typical: known([at(0.25), at(0.5), at(0.75)]),
    posed: known([at(0.4)]),
    hard: known([highest(small, "outOfBody"), highest(small, "loose")]),
    worst: sorted
      .slice(-WORST)
      .reverse()
      .map(({ id }) => id),
  };
}

function highest(characters: CharacterResult[], trait: keyof Traits): string | undefined {
  const value = ({ traits }: CharacterResult) => traits?.[trait] ?? 0;
  const [first] = characters.toSorted((a, b) => value(b) - value(a) || (a.id < b.id ? -1 : 1));
  return first && value(first) >= MIN_TRAIT ? first.id : undefined;
}

/** Side of the pictures, in pixels. */
const PICTURE_SIZE = 260;

function pictureUri(picture: Picture): string {
  const bytes = encodePng(picture, 6);
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return `data:image/png;base64,${btoa(binary)}`;
}
