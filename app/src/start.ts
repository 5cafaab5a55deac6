/** Shows the landing before anything large is fetched. */
import { keptTheme } from "./ui/theme.ts";

/** Milliseconds after which the page starts without its picture: a tab in the background paints nothing. */
const PATIENCE = 1500;

const theme = keptTheme();
if (theme) document.documentElement.dataset.theme = theme;

// Nothing competes with the picture for the line; other addresses do without it.
if (!new URLSearchParams(location.search).has("open")) {
  const poster = document.getElementById("poster") as HTMLImageElement;
  const frame = () => new Promise(requestAnimationFrame);
  const isPainted = poster.decode().then(frame).then(frame);
  const isLate = new Promise((late) => setTimeout(late, PATIENCE));
  await Promise.race([isPainted.catch(() => undefined), isLate]);
}
const { main } = await import("./main.ts");
main();

// Files that were chosen before the page listened.
for (const input of document.querySelectorAll<HTMLInputElement>("input[type=file]")) {
  if (input.files && input.files.length > 0)
    input.dispatchEvent(new Event("change", { bubbles: true }));
}
