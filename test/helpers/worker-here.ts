import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";
import type { Character } from "../../src/character/character.ts";
import { readArray, sendArray } from "../../src/serve/lines/requests.ts";
import { serveLines } from "../../src/serve/lines/serve-lines.ts";
import type { SkinWeights } from "../../src/weights/skin-weights.ts";

// biome-ignore lint/suspicious/noExplicitAny: lines are read key by key, as by another program.
export type Line = Record<string, any>;

/** A worker in this process, and functions that send it requests. */
export interface WorkerHere {
  /** Sends a request unchanged. */
  ask(request: Line): void;
  /** Waits for a line, which may have arrived already. */
  until(found: (line: Line) => boolean): Promise<Line>;
  /** Waits for the result or the error of a request. */
  answer(id: number): Promise<Line>;
  /** Sends a request with a new id and waits for the answer. */
  request(request: Line): Promise<Line>;
  /** The weights that a request results in. */
  weights(request: Line): Promise<SkinWeights>;
  lines: Line[];
  input: PassThrough;
  ended: Promise<unknown>;
}

export function startWorkerHere(): WorkerHere {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const lines: Line[] = [];
  const waiting = new Set<() => void>();
  createInterface({ input: output }).on("line", (line) => {
    lines.push(JSON.parse(line));
    for (const wake of waiting) wake();
  });
  const ended = serveLines(input, output);
  let next = 1_000_000;
  const worker: WorkerHere = {
    lines,
    input,
    ended,
    ask: (request) => input.write(`${JSON.stringify(request)}\n`),
    async until(found) {
      for (;;) {
        const line = lines.find(found);
        if (line) return line;
        await new Promise<void>((resolve) => {
          const wake = () => {
            waiting.delete(wake);
            resolve();
          };
          waiting.add(wake);
        });
      }
    },
    answer: (id) =>
      worker.until(
        (line) => line.id === id && (line.result !== undefined || line.error !== undefined),
      ),
    request(request) {
      const id = next++;
      worker.ask({ id, ...request });
      return worker.answer(id);
    },
    async weights(request) {
      const { result, error } = await worker.request(request);
      if (error) throw new Error(`the worker answered: ${error.message}`);
      return weightsIn(result);
    },
  };
  return worker;
}

/** The weights of an answer. */
export function weightsIn({ influences, joints, weights }: Line): SkinWeights {
  return {
    influences,
    joints: readArray(joints, "u16", "joints"),
    weights: readArray(weights, "f32", "weights"),
  };
}

/** A character in the form of a request. */
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
    // Locks require existing weights.
    ...((hasWeights || weights) && {
      weights: {
        influences: weights!.influences,
        joints: sendArray(weights!.joints),
        weights: sendArray(weights!.weights),
      },
    }),
  };
}
