import type { OutputFormat } from "../../../src/formats/index.ts";
import type { Actions } from "../actions/actions.ts";
import { bindName, currentBind } from "../binds.ts";
import { commandLine } from "../command-line.ts";
import { pageReport } from "../page-report.ts";
import type { State, Store } from "../store.ts";
import { button, find, make } from "./dom.ts";
import { flash } from "./flash.ts";

/** Kinds of things named in a sentence. */
const SHOWN_LOSSES = 2;

/** Formats of one file that a character can go home in; all can as GLB. */
const OWN_FORMATS: OutputFormat[] = ["vrm", "fbx", "dae"];

/** The bar that gives the character back, always in view: it says whose weights are in the file. */
export function createSaveBar(store: Store, actions: Actions): void {
  const { state } = store;
  const baseName = () => state.source.file.replace(/\.[^.]*$/, "") || "character";
  const save = async (format: OutputFormat) => {
    // Another file may be open by the time this one is written.
    const name = `${baseName()}.skinned.${format}`;
    const bytes = await actions.save(format);
    if (bytes) download(name, new Blob([bytes]));
  };
  const glb = button("Save", "save-glb", () => void save("glb"));
  const ownFormat = () => state.character?.ownFormat ?? "glb";
  const own = button("Save", "save-own", () => void save(ownFormat()), { class: "primary" });
  const report = button("Report (JSON)", "save-report", () => {
    const text = `${JSON.stringify(pageReport(state), null, 2)}\n`;
    download(`${baseName()}.report.json`, new Blob([text], { type: "application/json" }));
  });
  const command = make("code", { id: "command", tabindex: 0, "aria-label": "Command" });
  const copy = button("Copy", "copy-command", () => {
    navigator.clipboard?.writeText(command.textContent ?? "").then(
      () => flash(copy, "Copied"),
      () => flash(copy, "Not allowed"),
    );
  });
  const note = make("p", { class: "note" });
  const lost = make("p", { class: "note", id: "lost" });
  const bar = make(
    "div",
    { class: "save-bar", id: "save-bar" },
    make("div", { class: "row save-row" }, own, glb),
    lost,
    make(
      "details",
      { class: "more" },
      make("summary", {}, "Report, and the same on your computer"),
      report,
      make("div", { class: "command" }, command, copy),
      note,
    ),
  );
  find("right-foot").append(bar);
  const update = () => {
    const bind = currentBind(state);
    bar.hidden = !bind;
    if (!bind) return;
    glb.textContent = `Save GLB: ${bindName(bind)}`;
    own.textContent = `Save ${ownFormat().toUpperCase()}: ${bindName(bind)}`;
    own.hidden = !OWN_FORMATS.includes(ownFormat());
    glb.classList.toggle("primary", own.hidden);
    lost.textContent = lossSentence(state);
    lost.hidden = lost.textContent === "";
    command.textContent = commandLine(state);
    note.textContent = bind.isPainted ? "The command leaves touch-ups out." : "";
  };
  store.on(["character", "binds", "weights", "brush", "options"], update);
  update();
}

/** What a GLB of the character does not hold; empty where it holds all. */
function lossSentence({ character }: State): string {
  const kinds = character?.lost.map(({ what, count }) => `${what} (${count})`) ?? [];
  if (kinds.length === 0) return "";
  const more = kinds.length > SHOWN_LOSSES ? ` and ${kinds.length - SHOWN_LOSSES} more kinds` : "";
  return `A GLB goes without ${kinds.slice(0, SHOWN_LOSSES).join(", ")}${more}; the report has all.`;
}

function download(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = make("a", { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
