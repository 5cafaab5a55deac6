import type { Store } from "../store.ts";
import type { CharacterView } from "../view/character-view.ts";
import { showAlert, showNotice } from "./alerts.ts";
import { find, make } from "./dom.ts";
import { icon } from "./icons.ts";
import { saveBlob, stemOf } from "./save-blob.ts";

/** Length of a clip in seconds, and frames per second. */
const SECONDS = 3;
const RATE = 30;
/** Pixels of a screenshot per CSS pixel of the view. */
const SHARPNESS = 2;

/** Creates the buttons that share the view: a link, a picture, a clip. */
export function createShareTools(store: Store, view: CharacterView): void {
  const { state } = store;
  const name = () => stemOf(state.source.file);
  const picture = tool("picture-button", "Take a picture (transparent PNG)", "camera", () => {
    const canvas = view.picture(SHARPNESS);
    sign(canvas, SHARPNESS);
    canvas.toBlob((blob) => {
      if (blob) saveBlob(`${name()}.png`, blob);
    }, "image/png");
  });
  const clip = tool("clip-button", "Record three seconds (WebM)", "film", () => {
    clip.disabled = true;
    record(store, view)
      .then((blob) => saveBlob(`${name()}.webm`, blob))
      .catch(() => showAlert("This browser cannot record a clip; a picture works."))
      .finally(() => {
        clip.disabled = false;
      });
  });
  const link = tool("link-button", "Copy a link to this view", "share", () => {
    const isOwn = !/[?&]open=(?!nothing)/.test(location.search);
    const sentence = isOwn
      ? "The link is copied. Your own file never leaves this browser, so the link opens the page without it."
      : "The link is copied.";
    navigator.clipboard?.writeText(location.href).then(
      () => showNotice(sentence),
      () => showNotice("Copy the address of this page; it opens what you see."),
    );
  });
  const tools = make("div", { class: "share-tools" }, picture, clip, link);
  find("view-tools").append(tools);
}

function tool(
  id: string,
  title: string,
  symbol: "camera" | "film" | "share",
  onclick: () => void,
): HTMLButtonElement {
  return make(
    "button",
    { type: "button", id, class: "icon-button", title, "aria-label": title, onclick },
    icon(symbol),
  );
}

/** Draws the page's name small in a corner. */
function sign(canvas: HTMLCanvasElement, factor: number): void {
  const pen = canvas.getContext("2d");
  if (!pen) return;
  pen.font = `600 ${12 * factor}px system-ui, sans-serif`;
  pen.textAlign = "right";
  pen.fillStyle = "rgb(128 136 152 / 85%)";
  pen.fillText("HeterSkin", canvas.width - 12 * factor, canvas.height - 12 * factor);
}

/** Turns the camera around the character once, or moves the wipe across it and back. */
async function record(store: Store, view: CharacterView): Promise<Blob> {
  const { state } = store;
  const { canvas, draw, turn } = view.viewport;
  const film = document.createElement("canvas");
  const ratio = canvas.width / canvas.clientWidth;
  [film.width, film.height] = [canvas.width & ~1, canvas.height & ~1];
  const pen = film.getContext("2d");
  const stream = film.captureStream(RATE);
  const recorder = new MediaRecorder(stream, { mimeType: "video/webm" });
  const parts: Blob[] = [];
  recorder.addEventListener("dataavailable", ({ data }) => parts.push(data));
  const done = new Promise((resolve) => recorder.addEventListener("stop", resolve));
  const ground = getComputedStyle(document.documentElement).backgroundColor;
  const isWipe = state.arrangement === "wipe";
  const { cut } = state;
  recorder.start();
  const began = performance.now();
  let turned = 0;
  for (let share = 0; share < 1; ) {
    await new Promise(requestAnimationFrame);
    share = Math.min(1, (performance.now() - began) / (1000 * SECONDS));
    if (isWipe) {
      state.cut = 0.5 - 0.45 * Math.sin(2 * Math.PI * share);
      store.changed("look");
    } else {
      turn(2 * Math.PI * (share - turned), 0);
      turned = share;
    }
    draw();
    if (!pen) continue;
    pen.fillStyle = ground;
    pen.fillRect(0, 0, film.width, film.height);
    pen.drawImage(canvas, 0, 0);
    sign(film, ratio);
  }
  if (isWipe) {
    state.cut = cut;
    store.changed("look");
  }
  recorder.stop();
  await done;
  for (const track of stream.getTracks()) track.stop();
  return new Blob(parts, { type: "video/webm" });
}
