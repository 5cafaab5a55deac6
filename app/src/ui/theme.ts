import { find } from "./dom.ts";

const KEY = "heterskin-theme";

/** Light or dark as the system says, until the visitor says otherwise. */
export function connectTheme(): void {
  const { dataset } = document.documentElement;
  const kept = read();
  if (kept) dataset.theme = kept;
  find("theme-button").addEventListener("click", () => {
    const isDark = dataset.theme
      ? dataset.theme === "dark"
      : matchMedia("(prefers-color-scheme: dark)").matches;
    dataset.theme = isDark ? "light" : "dark";
    try {
      localStorage.setItem(KEY, dataset.theme);
    } catch {
      // Private windows may refuse; the choice then lasts as long as the page.
    }
  });
}

function read(): string | undefined {
  try {
    return localStorage.getItem(KEY) ?? undefined;
  } catch {
    return undefined;
  }
}
