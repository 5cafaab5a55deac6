import { afterAll, beforeAll, vi } from "vitest";

/** Stubs what loaders of three.js need in order to start loading images, which take a browser. */
export function stubImages(): void {
  beforeAll(() => {
    const image = { addEventListener: () => {}, removeEventListener: () => {} };
    vi.stubGlobal("document", { createElementNS: () => image });
    vi.stubGlobal("window", { innerWidth: 300, innerHeight: 200 });
  });
  afterAll(() => {
    vi.unstubAllGlobals();
  });
}
