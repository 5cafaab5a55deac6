import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";
import type { Character } from "../../src/character/character.ts";
import { readArray, sendArray } from "../../src/serve/lines/arrays.ts";
import { serveLines } from "../../src/serve/lines/serve-lines.ts";
import type { SkinWeights } from "../../src/weights/skin-weights.ts";

// biome-ignore lint/suspicious/noExplicitAny: lines are what another program reads, key by key.
export type Line = Record<string, any>;

/** A worker in this process, and ways to send it requests. */
export function startWorkerHere(): {
  answer(request: Line): Promise<Line>;
  weights(request: Line): Promise<SkinWeights>;
} {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const waiting = new Map<number, (line: Line) => void>();
  createInterface({ input: output }).on("line", (text) => {
    const line: Line = JSON.parse(text);
    if (line.result !== undefined || line.error !== undefined) waiting.get(line.id)?.(line);
  });
  serveLines(input, output);
  let next = 1;
  const answer = (request: Line): Promise<Line> => {
    const id = next++;
    return new Promise((resolve) => {
      waiting.set(id, resolve);
      input.write(`${JSON.stringify({ id, ...request })}\n`);
    });
  };
  const weights = async (request: Line): Promise<SkinWeights> => {
    const { result, error } = await answer(request);
    if (error) throw new Error(`the worker answered: ${error.message}`);
    return weightsIn(result);
  };
  return { answer, weights };
}

/** The weights of an answer. */
export function weightsIn({ influences, joints, weights }: Line): SkinWeights {
  return {
    influences,
    joints: readArray(joints, "u16", "joints"),
    weights: readArray(weights, "f32", "weights"),
  };
}

/** A character as a request holds it. */
export function characterLine(character: Character, hasWeights = false): Line {
  const { name, mesh, skeleton, weights } = character;
  return {
    name,
    mesh: { positions: sendArray(mesh.positions), triangles: sendArray(mesh.triangles) },
    skeleton: {
      names: skeleton.names,
      parents: sendArray(skeleton.parents),
      positions: sendArray(skeleton.positions),
    },
    // Locks need the weights that are there.
    ...((hasWeights || weights) && {
      weights: {
        influences: weights!.influences,
        joints: sendArray(weights!.joints),
        weights: sendArray(weights!.weights),
      },
    }),
  };
}
