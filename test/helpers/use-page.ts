import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { type PageFixture, startPage } from "./page-fixture.ts";

/**
 * Serves the page and opens it once for all tests of a file, since its runtime is fetched once; checks at the end
 * that no error occurred in it.
 */
export function usePage(onOpen: (page: Page, fixture: PageFixture) => unknown): void {
  let fixture: PageFixture;
  beforeAll(async () => {
    fixture = await startPage();
    await onOpen(await fixture.open(), fixture);
  }, 120_000);
  afterAll(async () => {
    expect(fixture?.faults).toEqual([]);
    await fixture?.close();
  });
}
