import type { AdaptNotes } from "../../../src/adapt/index.ts";
import { RIGGED_ENDINGS } from "../../../src/io/index.ts";
import type { Actions } from "../actions/actions.ts";
import { button, find, make, section } from "./dom.ts";
import { picked } from "./weights-panel.ts";

/** The panel that learns from a rigged character: pick or drop one, bind in its style, let go of it. */
export function createTeachPanel(actions: Actions): void {
  const result = make("p", { class: "note", id: "teach-result", role: "status" });
  const input = make("input", {
    ...{ type: "file", id: "teach-input", multiple: true, hidden: true },
    "aria-label": "A character to learn from",
    accept: `${RIGGED_ENDINGS},.bin,.png,.jpg,.jpeg,.webp`,
  });
  const wide = { class: "wide" };
  const forget = button("Forget it", "forget-button", () => void letGo(), wide);
  const pick = button("Choose a rigged character", "teach-button", () => input.click(), wide);
  const letGo = async () => {
    forget.hidden = true;
    result.textContent = "";
    await actions.forget();
  };
  const teach = async (files: File[]) => {
    if (files.length === 0) return;
    result.textContent = "Learning …";
    const notes = await actions.teach(picked(files));
    result.textContent = notes ? notesText(notes) : "";
    if (notes) forget.hidden = false;
  };
  input.addEventListener("change", () => {
    void teach([...(input.files ?? [])]);
    input.value = "";
  });
  forget.hidden = true;
  const panel = section(
    "Teach it with a character you have",
    false,
    make("p", { class: "note" }, "Its painted weights show the style; nothing is uploaded."),
    ...[input, pick, forget, result],
  );
  // What is dropped here is learned from; anywhere else on the page it is opened.
  panel.addEventListener("drop", (event) => {
    event.preventDefault();
    event.stopPropagation();
    document.body.classList.remove("dragging");
    void teach([...(event.dataTransfer?.files ?? [])]);
  });
  find("right").append(panel);
}

function notesText({ examples }: AdaptNotes): string {
  const [{ name, before, after }] = examples;
  const numbers = `${before.toFixed(2)} before, ${after.toFixed(2)} after`;
  return `Learned from ${name} (difference on it: ${numbers}). Weights are in its style until you reload; compare them in the list.`;
}
