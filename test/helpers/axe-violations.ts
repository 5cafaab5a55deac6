import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/**
 * What axe finds serious, or worse, in a page; a line each.
 *
 * Meanwhile the page has no transitions: axe takes seconds, and a color halfway between two states is no finding.
 * Its policy allows no inline style, but a constructed sheet.
 */
export async function axeViolations(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    const still = new CSSStyleSheet();
    still.replaceSync(
      "*, ::before, ::after { transition: none !important; animation: none !important; }",
    );
    const before = document.adoptedStyleSheets;
    document.adoptedStyleSheets = [...before, still];
    // Two frames: another theme is there with the first.
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    const { axe } = window as unknown as {
      axe: {
        run(): Promise<{
          violations: { id: string; impact: string; nodes: { html: string }[] }[];
        }>;
      };
    };
    const { violations } = await axe.run();
    document.adoptedStyleSheets = before;
    return violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 120)}`);
  });
}
