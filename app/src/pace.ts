const KEY = "heterskin-pace";
/** Milliseconds of the network per vertex before any were measured: a laptop on two threads. */
const USUAL = 0.5;

/** How long the network takes for a character here, by how long it took for the last one. */
export interface Pace {
  /** Milliseconds. */
  expected(vertices: number): number;
  learn(vertices: number, milliseconds: number): void;
}

/** Remembers the pace of this machine from visit to visit, where the browser keeps anything. */
export function createPace(): Pace {
  let perVertex = USUAL;
  try {
    perVertex = Number(localStorage.getItem(KEY)) || USUAL;
  } catch {
    // A browser that keeps nothing starts with the usual.
  }
  return {
    expected: (vertices) => Math.max(400, perVertex * vertices),
    learn(vertices, milliseconds) {
      if (vertices < 500 || milliseconds < 50) return;
      perVertex = milliseconds / vertices;
      try {
        localStorage.setItem(KEY, perVertex.toFixed(4));
      } catch {
        // The pace then lasts as long as the page.
      }
    },
  };
}
