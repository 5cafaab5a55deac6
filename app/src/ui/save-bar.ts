import type { OutputFormat } from "../../../src/io/index.ts";
import type { Actions } from "../actions/actions.ts";
import { bindName, currentBind } from "../binds.ts";
import { commandLine } from "../command-line.ts";
import { pageReport } from "../page-report.ts";
import type { Store } from "../store.ts";
import { button, find, make } from "./dom.ts";

/** The bar that gives the character back, always in view: it says whose weights are in the file. */
export function createSaveBar(store: Store, actions: Actions): void {
  const { state } = store;
  const baseName = () => state.source.file.replace(/\.[^.]*$/, "") || "character";
  const save = async (format: OutputFormat) => {
    const bytes = await actions.save(format);
    if (bytes) download(`${baseName()}.skinned.${format}`, new Blob([bytes]));
  };
  const glb = button("Save", "save-glb", () => void save("glb"), { class: "primary" });
  const vrm = button("Save VRM", "save-vrm", () => void save("vrm"), { class: "primary" });
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
  const bar = make(
    "div",
    { class: "save-bar", id: "save-bar" },
    make("div", { class: "row save-row" }, glb, vrm),
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
    vrm.textContent = `Save VRM: ${bindName(bind)}`;
    vrm.hidden = !state.character?.isVrm;
    command.textContent = commandLine(state);
    note.textContent = bind.isPainted ? "The command leaves touch-ups out." : "";
  };
  store.on(["character", "binds", "weights", "brush", "options"], update);
  update();
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
