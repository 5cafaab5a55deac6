import { find, make } from "./dom.ts";

const KEY = "heterskin-tree-width";
/** Minimum and maximum in pixels; the style sets the default. */
const [LEAST, MOST, USUAL] = [150, 520, 256];

/** Lets the pointer or arrow keys change the width of the list of joints. */
export function connectSideWidth(): void {
  const handle = make("div", {
    class: "side-handle",
    id: "side-handle",
    role: "separator",
    tabindex: 0,
    "aria-label": "Width of the list of joints",
    "aria-orientation": "vertical",
    "aria-valuemin": LEAST,
    "aria-valuemax": MOST,
    "aria-valuenow": USUAL,
  });
  let width: number | undefined;
  const set = (wanted: number) => {
    width = Math.min(MOST, Math.max(LEAST, Math.round(wanted)));
    document.documentElement.style.setProperty("--left-width", `${width}px`);
    handle.setAttribute("aria-valuenow", String(width));
  };
  const keep = () => {
    try {
      localStorage.setItem(KEY, String(width));
    } catch {
      // Private windows may refuse; the width then lasts until the page closes.
    }
  };
  handle.addEventListener("pointerdown", (event) => {
    handle.setPointerCapture(event.pointerId);
    event.preventDefault();
  });
  handle.addEventListener("pointermove", (event) => {
    if (handle.hasPointerCapture(event.pointerId)) set(event.clientX);
  });
  handle.addEventListener("pointerup", keep);
  handle.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -20, ArrowRight: 20 }[event.key];
    if (!step) return;
    event.preventDefault();
    set((width ?? find("left").offsetWidth) + step);
    keep();
  });
  try {
    const kept = Number(localStorage.getItem(KEY));
    if (kept) set(kept);
  } catch {
    // The default of the style.
  }
  find("left").after(handle);
}
