import type { Shown, Store } from "../store.ts";
import { choice, find, make, section, slider } from "./dom.ts";
import { percent } from "./words.ts";

/** The panel that sets the weights beside those of before. */
export function createComparePanel(store: Store): void {
  const { state } = store;
  const shown = choice<Shown>(
    "shown",
    "Which weights are shown",
    [
      { value: "after", text: "After" },
      { value: "before", text: "Before" },
      { value: "split", text: "Split" },
    ],
    (value) => {
      state.shown = value;
      store.changed("look");
    },
  );
  const cut = slider({ min: 5, max: 95, step: 1, value: 50, label: "Where to cut" }, (value) => {
    state.cut = value / 100;
    store.changed("look");
  });
  const error = make(
    "button",
    {
      type: "button",
      id: "error-button",
      onclick: () => {
        state.look = "error";
        store.changed("look");
      },
    },
    "Show the error map",
  );
  const figures = make("dl", { class: "figures", id: "figures" });
  const note = make("p", { class: "note" });
  find("right").append(section("Compare", false, note, shown.element, cut.element, figures, error));
  const update = () => {
    const { before, comparison } = state;
    note.textContent = before
      ? `Before: ${before.name} weights.`
      : "This file came without weights; bind twice to compare two ways.";
    for (const value of ["before", "split"] as const) shown.enable(value, before !== undefined);
    shown.set(state.shown);
    cut.element.hidden = state.shown !== "split";
    error.hidden = comparison === undefined;
    fillFigures(figures, store);
    fillNames(store);
  };
  store.on(["character", "weights", "comparison", "look"], update);
  update();
}

function fillFigures(element: HTMLElement, { state }: Store): void {
  const { comparison } = state;
  element.replaceChildren();
  if (!comparison) return;
  const { score, bleedBefore } = comparison;
  const rows: [string, string, string][] = [
    ["L1", score.l1Raw.toFixed(3), "Mean difference to the file's weights, 0 to 2"],
    ["Distance error", score.distance.toFixed(4), "Mean distance of posed vertices, in heights"],
    ["Bleed", percent(score.bleed ?? 0), "Weight on far joints"],
    ["Bleed before", percent(bleedBefore), "The same for the file's weights"],
  ];
  for (const [name, value, title] of rows) {
    element.append(make("dt", { title }, name), make("dd", {}, value));
  }
}

function fillNames({ state }: Store): void {
  const names = find("split-names");
  names.hidden = state.shown !== "split" || !state.before;
  const label = (text: string) => make("span", { class: "name" }, text);
  names.replaceChildren(label("Before"), label("After"));
  names.style.setProperty("--cut", `${state.cut * 100}%`);
}
