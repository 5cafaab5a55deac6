import { afterAll, beforeAll, vi } from "vitest";

/** Stubs what three.js loaders need to start loading images, which requires a browser. */
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
