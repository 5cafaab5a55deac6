import { BONE_DOUBT_TEXT, influenceHistogram, VERTEX_DOUBT_TEXT } from "../../../src/parts.ts";
import { groupDoubts } from "../group-doubts.ts";
import type { Look, Store } from "../store.ts";
import { DISTANCE, ERROR, HEAT, rampColour } from "../view/colours.ts";
import { choice, find, make, section, tick } from "./dom.ts";

const LOOKS: { value: Look; text: string; title: string }[] = [
  { value: "heat", text: "Weights", title: "Weights of the selected joint" },
  { value: "dominant", text: "Bones", title: "The heaviest joint of each vertex" },
  {
    value: "hollow",
    text: "HollowDist",
    title: "Distance from the selected joint through the body",
  },
  { value: "error", text: "Error", title: "Difference to the weights of the file" },
  { value: "plain", text: "Plain", title: "No colours" },
];

/** Longer lists are not read. */
const MOST_DOUBTS = 15;

/** The choice of colours above the view, and the panel of figures that goes with it. */
export function createLookPanel(store: Store): void {
  const { state } = store;
  const looks = choice("look", "What the colours show", LOOKS, (look) => {
    state.look = look;
    store.changed("look");
  });
  const wires = tick("Wireframe", (isOn) => {
    state.isWireframe = isOn;
    store.changed("look");
  });
  const bones = tick("Skeleton", (isOn) => {
    state.hasSkeleton = isOn;
    store.changed("look");
  });
  find("stage-top").append(
    looks.element,
    make("div", { class: "ticks" }, wires.element, bones.element),
  );
  const histogram = make("div", { class: "histogram", id: "histogram" });
  const doubts = make("ul", { class: "doubts", id: "doubts" });
  find("right").append(
    section(
      "Look",
      true,
      make("h3", {}, "Joints per vertex"),
      histogram,
      make("h3", {}, "Worth a look"),
      doubts,
    ),
  );
  store.on(["look", "character", "comparison"], () => {
    looks.set(state.look);
    looks.enable("error", state.comparison !== undefined);
    wires.input.checked = state.isWireframe;
    bones.input.checked = state.hasSkeleton;
  });
  store.on(["weights", "character"], () => fillHistogram(histogram, store));
  store.on(["doubts", "character"], () => fillDoubts(doubts, store));
  store.on(["look", "joint", "character", "comparison", "weights"], () => fillLegend(store));
  store.changed("look");
  fillHistogram(histogram, store);
  fillDoubts(doubts, store);
}

function fillHistogram(element: HTMLElement, { state }: Store): void {
  const counts = state.weights ? influenceHistogram(state.weights) : [];
  const most = Math.max(1, ...counts);
  const total = counts.reduce((sum, n) => sum + n, 0);
  element.replaceChildren(
    ...counts.slice(1).map((n, i) =>
      make(
        "div",
        { class: "bar-row" },
        make("span", {}, String(i + 1)),
        make("progress", {
          class: "bar",
          max: most,
          value: n,
          "aria-label": `${n} vertices with ${i + 1} joints`,
        }),
        make("span", {}, total > 0 ? `${Math.round((n / total) * 100)} %` : ""),
      ),
    ),
  );
}

function fillDoubts(element: HTMLElement, store: Store): void {
  const { state } = store;
  const names = state.character?.prepared.character.skeleton.names ?? [];
  const select = (joint: number, marked: number[]) => {
    state.joint = joint;
    state.marked = marked;
    store.changed("joint");
  };
  const item = (text: string, joint: number, marked: number[]) =>
    make(
      "li",
      {},
      make("button", { type: "button", class: "link", onclick: () => select(joint, marked) }, text),
    );
  const { doubts, weights } = state;
  const groups = doubts && weights ? groupDoubts(doubts, weights) : [];
  const rows = groups
    .slice(0, MOST_DOUBTS)
    .map(({ reason, joint, vertices }) =>
      item(
        `${vertices.length} at ${names[joint]} are ${VERTEX_DOUBT_TEXT[reason]}`,
        joint,
        vertices,
      ),
    );
  const bones = (doubts?.bones ?? [])
    .slice(0, MOST_DOUBTS)
    .map(({ joint, reason }) => item(`${names[joint]} is ${BONE_DOUBT_TEXT[reason]}`, joint, []));
  const none = state.doubts ? "Nothing stands out." : "Bind to see doubtful vertices and bones.";
  element.replaceChildren(...rows, ...bones);
  if (rows.length + bones.length === 0) element.append(make("li", { class: "note" }, none));
}

function fillLegend({ state }: Store): void {
  const legend = find("legend");
  legend.hidden = !state.character || state.look === "plain";
  const name = state.character?.prepared.character.skeleton.names[state.joint] ?? "";
  const parts: Record<Look, { text: string; ends?: [string, string]; ramp?: typeof HEAT }> = {
    heat: { text: name, ends: ["0", "1"], ramp: HEAT },
    dominant: { text: "Colour = heaviest joint" },
    hollow: { text: `Distance from ${name}`, ends: ["near", "far"], ramp: DISTANCE },
    error: { text: "Difference to the file", ends: ["0", "1.5"], ramp: ERROR },
    plain: { text: "" },
  };
  const { text, ends, ramp } = parts[state.look];
  legend.replaceChildren(make("strong", {}, text));
  if (!ramp || !ends) return;
  const bar = make("canvas", { width: 120, height: 8, "aria-hidden": "true" });
  const pen = bar.getContext("2d");
  for (let x = 0; x < 120 && pen; x++) {
    const [r, g, b] = rampColour(ramp, x / 119);
    pen.fillStyle = `rgb(${r} ${g} ${b})`;
    pen.fillRect(x, 0, 1, 8);
  }
  legend.append(make("div", { class: "scale" }, ends[0], bar, ends[1]));
}
