import type { OutputFormat } from "../../../src/io/index.ts";
import type { Actions } from "../actions.ts";
import { commandLine } from "../command-line.ts";
import { pageReport } from "../page-report.ts";
import type { Store } from "../store.ts";
import { find, make, section } from "./dom.ts";

/** The panel that gives the character back: files, report, command line. */
export function createSavePanel(store: Store, actions: Actions): void {
  const { state } = store;
  const baseName = () => state.source.file.replace(/\.[^.]*$/, "") || "character";
  const save = async (format: OutputFormat) => {
    const bytes = await actions.save(format);
    if (bytes) download(`${baseName()}.skinned.${format}`, new Blob([bytes]));
  };
  const glb = button("Download GLB", "save-glb", () => void save("glb"));
  glb.classList.add("primary");
  const vrm = button("Download VRM", "save-vrm", () => void save("vrm"));
  const report = button("Report (JSON)", "save-report", () => {
    const text = `${JSON.stringify(pageReport(state), null, 2)}\n`;
    download(`${baseName()}.report.json`, new Blob([text], { type: "application/json" }));
  });
  const command = make("code", { id: "command", tabindex: 0 });
  const copy = button("Copy", "copy-command", () => {
    navigator.clipboard?.writeText(command.textContent ?? "").then(
      () => flash(copy, "Copied"),
      () => flash(copy, "Not allowed"),
    );
  });
  const note = make("p", { class: "note" });
  find("right").append(
    section(
      "Save",
      true,
      make("div", { class: "row" }, glb, vrm, report),
      make("h3", {}, "The same in a terminal"),
      make("div", { class: "command" }, command, copy),
      note,
    ),
  );
  const update = () => {
    for (const control of [glb, vrm, report]) control.disabled = !state.weights;
    vrm.hidden = !state.character?.isVrm;
    command.textContent = state.character ? commandLine(state) : "heterskin bind character.glb";
    note.textContent = state.isPainted ? "The command leaves touch-ups out." : "";
  };
  store.on(["character", "weights", "brush", "options"], update);
  update();
}

function button(text: string, id: string, onclick: () => void): HTMLButtonElement {
  return make("button", { type: "button", id, onclick }, text);
}

function download(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = make("a", { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

function flash(element: HTMLElement, text: string): void {
  const before = element.textContent;
  element.textContent = text;
  setTimeout(() => {
    element.textContent = before;
  }, 1500);
}
