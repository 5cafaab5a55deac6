import type { CharacterResult, Evaluation } from "../evaluation.ts";

/** Which characters a report shows pictures of, by id. */
export interface PictureChoice {
  /** About a quarter, a half and three quarters down the list by L1 error. */
  typical: string[];
  posed: string[];
  /** Most weight on joints outside the body, and most vertices in loose parts. */
  hard: string[];
  smoothing: string[];
  /** Highest L1 error first. */
  worst: string[];
}

const WORST = 6;
/** Pictures of larger characters show no more and cost more. */
const LARGEST = 20000;
/** Less than this of a trait makes no case of it. */
const TELLING = 0.1;

/** Chooses by the scores of the first method, so that the same result gives the same pictures. */
export function choosePictures({ methods, characters }: Evaluation): PictureChoice {
  const l1 = ({ results }: CharacterResult) => results[methods[0]]?.score?.l1 ?? 0;
  const scored = characters.filter(({ results }) => results[methods[0]]?.score);
  const sorted = scored.toSorted((a, b) => l1(a) - l1(b) || (a.id < b.id ? -1 : 1));
  const small = sorted.filter(({ vertices }) => vertices <= LARGEST);
  const at = (share: number) => small[Math.floor(share * (small.length - 1))]?.id;
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
  return most && value(most) >= TELLING ? most.id : undefined;
}
