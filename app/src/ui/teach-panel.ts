import type { AdaptNotes } from "../../../src/adapt/index.ts";
import { RIGGED_ENDINGS } from "../../../src/formats/index.ts";
import type { Actions } from "../actions/actions.ts";
import type { Store } from "../store.ts";
import { button, find, make, section } from "./dom.ts";
import { saveBlob, stemOf } from "./save-blob.ts";
import { picked } from "./weights-panel.ts";

/** Creates the panel that learns from a rigged character: pick or drop one, bind in its style, forget it. */
export function createTeachPanel(store: Store, actions: Actions): void {
  const { state } = store;
  /** Lessons in progress; a new one cancels the previous one, which ends a little later. */
  let lessons = 0;
  const result = make("p", { class: "note", id: "teach-result", role: "status" });
  const input = make("input", {
    type: "file",
    id: "teach-input",
    multiple: true,
    hidden: true,
    "aria-label": "A character to learn from",
    accept: `${RIGGED_ENDINGS},.bin,.png,.jpg,.jpeg,.webp`,
  });
  const wide = { class: "wide" };
  const forget = button("Forget it", "forget-button", () => void actions.forget(), wide);
  const save = button(
    "Save what it learned",
    "save-learned",
    () => {
      const model = actions.learnedModel();
      if (model) saveBlob(`${stemOf(state.learnedFile ?? "learned")}.onnx`, new Blob([model]));
    },
    wide,
  );
  const cancel = button("Cancel", "cancel-lesson", () => actions.cancel(), wide);
  const pick = button("Choose a rigged character", "teach-button", () => input.click(), wide);
  const update = () => {
    forget.hidden = save.hidden = !state.learned || lessons > 0;
    pick.hidden = lessons > 0;
    cancel.hidden = lessons === 0;
    const known = state.learned ? notesText(state.learned) : "";
    result.textContent =
      lessons > 0 ? "Learning. This takes one to five minutes; the page stays usable." : known;
  };
  const teach = async (files: File[]) => {
    if (files.length === 0) return;
    lessons++;
    update();
    await actions.teach(picked(files));
    lessons--;
    update();
    result.scrollIntoView({ block: "nearest" });
  };
  input.addEventListener("change", () => {
    void teach([...(input.files ?? [])]);
    input.value = "";
  });
  const panel = section(
    "Teach it with a character you have",
    false,
    make(
      "p",
      { class: "note" },
      "Its painted weights show the style. It takes one to five minutes here; nothing is uploaded.",
    ),
    input,
    pick,
    cancel,
    result,
    save,
    forget,
  );
  // A file dropped here is learned from; anywhere else on the page it is opened.
  panel.addEventListener("drop", (event) => {
    event.preventDefault();
    event.stopPropagation();
    document.body.classList.remove("dragging");
    void teach([...(event.dataTransfer?.files ?? [])]);
  });
  find("right").append(panel);
  store.on(["options"], update);
  update();
}

function notesText({ examples }: AdaptNotes): string {
  const [{ name, before, after }] = examples;
  const numbers = `${before.toFixed(2)} before, ${after.toFixed(2)} after`;
  return `Learned from ${name} (difference to its weights: ${numbers}). The network binds in its style from now on, also after a reload, until you forget it.`;
}
