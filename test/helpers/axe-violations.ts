import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/**
 * Lists violations of at least serious impact that axe finds in a page, a line each.
 *
 * Transitions are disabled in the meantime: axe takes seconds, and a color halfway between two states is not a
 * finding. The page's policy forbids inline styles but allows a constructed style sheet.
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
    // Two frames: the first one applies a changed theme.
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
