import { find, make } from "./dom.ts";
import { icon } from "./icons.ts";

/** All keys and gestures by topic. */
const SHORTCUTS: Record<string, [keys: string, what: string][]> = {
  View: [
    ["Drag", "turn"],
    ["Right drag, Shift+drag", "move"],
    ["Scroll", "zoom to the pointer"],
    ["F", "look at what the joint moves"],
    ["Home", "look at the whole character"],
    ["1 · 3 · 7", "front or back, side, top"],
    ["← → ↑ ↓", "rotate the view"],
  ],
  Joints: [
    ["Click", "choose the joint that moves it"],
    ["↑ ↓", "next and previous in the tree"],
    ["← →", "fold and unfold"],
    ["L · H · S", "lock, hide its bone, show it alone"],
  ],
  Brush: [
    ["B", "on and off"],
    ["Ctrl+stroke", "subtract"],
    ["Shift+stroke", "smooth"],
    ["F", "resize with the pointer; click to confirm"],
    ["[ ] · { }", "size, strength"],
    ["E", "pick the weight under the pointer"],
  ],
  Work: [
    ["Space", "play, pause"],
    ["X", "before and after"],
    ["Ctrl+Z · Ctrl+Y", "undo, redo"],
    ["Esc", "leave the current mode"],
    ["?", "this list"],
  ],
};

/** Opens or closes the dialog of shortcuts. */
export function toggleShortcuts(): void {
  const open = document.querySelector<HTMLDialogElement>("dialog.shortcuts");
  if (open) {
    open.close();
    return;
  }
  const groups = Object.entries(SHORTCUTS).map(([title, rows]) =>
    make(
      "section",
      {},
      make("h3", {}, title),
      make(
        "dl",
        {},
        ...rows.flatMap(([keys, what]) => [
          make("dt", {}, make("kbd", {}, keys)),
          make("dd", {}, what),
        ]),
      ),
    ),
  );
  const dialog = make(
    "dialog",
    { class: "ask shortcuts", "aria-labelledby": "shortcuts-title" },
    make("h2", { id: "shortcuts-title" }, "Keys and gestures"),
    make("div", { class: "shortcut-groups" }, ...groups),
    make("button", { type: "button", class: "primary", onclick: () => dialog.close() }, "Close"),
  );
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  document.body.append(dialog);
  dialog.showModal();
}

/** Connects the button in the header. */
export function connectShortcutsButton(): void {
  const button = find("shortcuts-button");
  button.append(icon("question"));
  button.addEventListener("click", toggleShortcuts);
}
