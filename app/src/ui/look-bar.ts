import { currentBind } from "../binds.ts";
import type { Look, Store } from "../store.ts";
import { DISTANCE, ERROR, HEAT, rampColor } from "../view/colors.ts";
import { choice, find, make, slider, tick } from "./dom.ts";

const LOOKS: { value: Look; text: string; title: string }[] = [
  { value: "plain", text: "Character", title: "Colors and textures of the file" },
  { value: "heat", text: "Weights", title: "Weights of the selected joint" },
  { value: "dominant", text: "Bones", title: "The joint that each vertex follows most" },
  { value: "hollow", text: "Distance", title: "Distance from the selected joint through the body" },
  { value: "error", text: "Difference", title: "Difference to the weights of the file" },
];

/** Creates the choice of colors above the view, and the legend below it. */
export function createLookBar(store: Store): void {
  const { state } = store;
  const looks = choice("look", "What the colors show", LOOKS, (look) => {
    state.look = look;
    store.changed("look");
  });
  const cover = slider(
    { min: 0, max: 100, step: 5, value: 100, label: "Opacity of the colors" },
    (value) => {
      state.cover = value / 100;
      store.changed("look");
    },
  );
  const coverField = make(
    "label",
    { class: "cover" },
    make("span", {}, "Over texture"),
    cover.element,
  );
  const wires = tick("Wireframe", (isOn) => {
    state.isWireframe = isOn;
    store.changed("look");
  });
  const bones = tick("Skeleton", (isOn) => {
    state.hasSkeleton = isOn;
    store.changed("look");
  });
  const bar = find("stage-top");
  const follow = () => document.body.classList.toggle("opened", state.character !== undefined);
  store.on(["character"], follow);
  follow();
  bar.append(
    looks.element,
    make("div", { class: "ticks" }, coverField, wires.element, bones.element),
  );
  const update = () => {
    looks.set(state.look);
    looks.enable("error", state.comparison !== undefined);
    wires.input.checked = state.isWireframe;
    bones.input.checked = state.hasSkeleton;
    cover.set(Math.round(state.cover * 100));
    coverField.hidden = state.look === "plain";
    bar.hidden = !currentBind(state);
    fillLegend(store);
  };
  store.on(["look", "character", "comparison", "binds", "weights", "joint", "fitting"], update);
  update();
}

function fillLegend({ state }: Store): void {
  const legend = find("legend");
  legend.hidden = !currentBind(state) || state.look === "plain" || state.cover === 0;
  const name = state.character?.prepared.character.skeleton.names[state.joint] ?? "";
  const parts: Record<Look, { text: string; ends?: [string, string]; ramp?: typeof HEAT }> = {
    heat: { text: `Follows ${name}`, ends: ["little", "all"], ramp: HEAT },
    dominant: { text: "Color of the strongest joint" },
    hollow: { text: `Distance from ${name}`, ends: ["near", "far"], ramp: DISTANCE },
    error: { text: "Difference to the file", ends: ["none", "large"], ramp: ERROR },
    plain: { text: "" },
  };
  const { text, ends, ramp } = parts[state.look];
  legend.replaceChildren(make("strong", {}, text));
  if (state.marked.length > 0) {
    const count = state.marked.length.toLocaleString("en");
    legend.append(make("div", { class: "marked-note" }, `${count} pointed out`));
  }
  if (!ramp || !ends) return;
  const bar = make("canvas", { width: 120, height: 8, "aria-hidden": "true" });
  const pen = bar.getContext("2d");
  for (let x = 0; x < 120 && pen; x++) {
    const [r, g, b] = rampColor(ramp, state.look === "heat" ? 0.02 + (0.98 * x) / 119 : x / 119);
    pen.fillStyle = `rgb(${r} ${g} ${b})`;
    pen.fillRect(x, 0, 1, 8);
  }
  legend.append(make("div", { class: "scale" }, ends[0], bar, ends[1]));
  if (state.look === "heat") {
    legend.append(make("div", { class: "scale no-weight" }, "no weight"));
  }
}
