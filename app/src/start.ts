/** Shows the landing page before anything large is fetched. */
import { keptTheme } from "./ui/theme.ts";

/** Delay after which the page starts without its image (ms); background tabs do not paint. */
const PATIENCE = 1500;

const theme = keptTheme();
if (theme) document.documentElement.dataset.theme = theme;

// Nothing competes with the image for bandwidth; other addresses do not show it.
if (!new URLSearchParams(location.search).has("open")) {
  const poster = document.getElementById("poster") as HTMLImageElement;
  const frame = () => new Promise(requestAnimationFrame);
  const isPainted = poster.decode().then(frame).then(frame);
  const isLate = new Promise((late) => setTimeout(late, PATIENCE));
  await Promise.race([isPainted.catch(() => undefined), isLate]);
}
const { main } = await import("./main.ts");
main();

// Files chosen before the page was listening.
for (const input of document.querySelectorAll<HTMLInputElement>("input[type=file]")) {
  if (input.files && input.files.length > 0)
    input.dispatchEvent(new Event("change", { bubbles: true }));
}
