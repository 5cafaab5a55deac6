const KEY = "heterskin-pace";
/** Milliseconds per vertex of the network before any measurement: a laptop with two threads. */
const USUAL = 0.5;

/** Estimates how long the network takes for a character on this device, based on the last bind. */
export interface Pace {
  /** Milliseconds. */
  expected(vertices: number): number;
  learn(vertices: number, milliseconds: number): void;
}

/** Creates an estimate that persists between visits if the browser has storage. */
export function createPace(): Pace {
  let perVertex = USUAL;
  try {
    perVertex = Number(localStorage.getItem(KEY)) || USUAL;
  } catch {
    // Without storage the estimate starts with the default.
  }
  return {
    expected: (vertices) => Math.max(400, perVertex * vertices),
    learn(vertices, milliseconds) {
      if (vertices < 500 || milliseconds < 50) return;
      perVertex = milliseconds / vertices;
      try {
        localStorage.setItem(KEY, perVertex.toFixed(4));
      } catch {
        // Without storage the estimate lasts until the page closes.
      }
    },
  };
}
