import type { Store } from "../store.ts";
import { find, make } from "./dom.ts";

const STAGES: Record<string, string> = {
  read: "Reading the file",
  download: "Fetching the network",
  prepare: "Preparing",
  solve: "Preparing",
  distances: "Measuring distances through the body",
  network: "Asking the network",
  heat: "Spreading heat",
  finish: "Finishing",
  simplify: "Simplifying the mesh",
  transfer: "Carrying the weights back",
};

/** The line at the bottom: what is open, what is going on, and whether the network is here yet. */
export function createStatusBar(store: Store): {
  download(fraction: number): void;
  ready(text: string): void;
} {
  const { state } = store;
  const open = make("span", { id: "open-name" }, "Nothing is open.");
  const notes = make("span", { id: "notes" });
  const stage = make("span", { id: "stage-name", role: "status" });
  const bar = make("progress", { max: 1, "aria-label": "Progress" });
  const runtime = make("span", { id: "runtime" });
  find("status").append(open, notes, stage, bar, runtime);
  bar.hidden = true;
  store.on(["character"], () => {
    const { character, source } = state;
    if (!character) return;
    const joints = character.prepared.character.skeleton.names.length;
    const vertices = character.vertices.toLocaleString("en");
    open.textContent = `${source.file}: ${vertices} vertices, ${joints} joints`;
    open.title = character.oddities.join(" ");
    const [first, ...others] = character.oddities;
    const more = others.length > 0 ? ` (and ${others.length} more)` : "";
    notes.textContent = first === undefined ? "" : `Note: ${first}${more}`;
    notes.title = open.title;
  });
  store.on(["busy"], () => {
    const { busy } = state;
    stage.textContent = busy ? `${STAGES[busy.stage] ?? busy.stage} …` : "";
    bar.hidden = !busy;
    if (busy && busy.fraction > 0) bar.value = busy.fraction;
    else bar.removeAttribute("value");
  });
  return {
    download: (fraction) => {
      runtime.textContent = `Fetching the network: ${Math.round(fraction * 100)} %`;
    },
    ready: (text) => {
      runtime.textContent = text;
    },
  };
}
