import { find } from "./dom.ts";
import { icon } from "./icons.ts";

const KEY = "heterskin-theme";

/** Light or dark like the system, unless the visitor chooses. */
export function connectTheme(): void {
  const { dataset } = document.documentElement;
  find("theme-button").append(icon("theme"));
  find("theme-button").addEventListener("click", () => {
    const isDark = dataset.theme
      ? dataset.theme === "dark"
      : document.body.classList.contains("intro") ||
        matchMedia("(prefers-color-scheme: dark)").matches;
    dataset.theme = isDark ? "light" : "dark";
    try {
      localStorage.setItem(KEY, dataset.theme);
    } catch {
      // Private windows may refuse; the choice then lasts until the page closes.
    }
  });
}

/** Returns the visitor's choice, if any. */
export function keptTheme(): string | undefined {
  try {
    return localStorage.getItem(KEY) ?? undefined;
  } catch {
    return undefined;
  }
}
