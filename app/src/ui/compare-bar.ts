import { bindName, NAIVE, otherBind, shownBinds } from "../binds.ts";
import type { Arrangement, Store } from "../store.ts";
import { choice, find, make } from "./dom.ts";
import { icon } from "./icons.ts";

/** Creates the bar for comparison: before and after, one or two views, the wipe, and badges with titles. */
export function createCompareBar(store: Store): void {
  const { state } = store;
  const peek = choice<"before" | "after">(
    "shown",
    "Which weights are shown",
    [
      { value: "before", text: "Before" },
      { value: "after", text: "After" },
    ],
    (value) => {
      state.isPeeking = value === "before";
      state.arrangement = "one";
      store.changed("binds", "weights", "look");
    },
  );
  const arrangement = choice<Arrangement>(
    "arrangement",
    "How they are shown",
    [
      { value: "one", text: "One" },
      { value: "side", text: "Side by side" },
      { value: "wipe", text: "Wipe" },
    ],
    (value) => {
      state.arrangement = value;
      state.isPeeking = false;
      store.changed("binds", "weights", "look");
    },
  );
  const bar = make(
    "div",
    { class: "compare-bar", id: "compare-bar" },
    peek.element,
    arrangement.element,
  );
  find("stage-bottom").prepend(bar);
  const line = wipeLine(store);
  find("stage").append(line);
  const update = () => {
    bar.hidden = otherBind(state) === undefined;
    const isNaive = otherBind(state)?.title === NAIVE;
    peek.name("before", isNaive ? "Naive" : "Before");
    peek.name("after", isNaive ? "HeterSkin" : "After");
    peek.set(state.isPeeking ? "before" : "after");
    peek.element.hidden = state.arrangement !== "one";
    arrangement.set(state.arrangement);
    const isApart = shownBinds(state).length === 2;
    const isWiped = state.arrangement === "wipe" && isApart;
    find("stage").classList.toggle("apart", isApart && !isWiped);
    line.hidden = !isWiped;
    line.setAttribute("aria-valuenow", String(Math.round(state.cut * 100)));
    fillBadges(store);
    placeCut(isWiped ? state.cut : 0.5);
  };
  new ResizeObserver(update).observe(find("canvas"));
  store.on(["binds", "weights", "look", "character", "fitting"], update);
  update();
}

/** Positions the line where the canvas is divided; on the landing page the canvas is narrower than the stage. */
function placeCut(cut: number): void {
  const stage = find("stage").getBoundingClientRect();
  const canvas = find("canvas").getBoundingClientRect();
  const left = canvas.left - stage.left + cut * canvas.width;
  const percent = stage.width > 0 ? (100 * left) / stage.width : 100 * cut;
  find("stage").style.setProperty("--cut", `${percent}%`);
  // The badges are on both sides of the line, wherever their container starts.
  const badges = find("badges").getBoundingClientRect();
  const across = canvas.left + cut * canvas.width - badges.left;
  find("badges").style.setProperty("--cut", `${across}px`);
}

/** Creates the line between two sets of weights; the pointer or keys move it. */
function wipeLine(store: Store): HTMLElement {
  const { state } = store;
  const line = make(
    "div",
    {
      class: "wipe-line",
      id: "wipe-line",
      role: "slider",
      tabindex: 0,
      "aria-label": "Where the view is divided",
      "aria-valuemin": 0,
      "aria-valuemax": 100,
    },
    make("span", { class: "wipe-knob", "aria-hidden": "true" }, icon("wipe")),
  );
  const move = (cut: number) => {
    state.cut = Math.min(0.97, Math.max(0.03, cut));
    store.changed("look");
  };
  line.addEventListener("pointerdown", (event) => {
    line.setPointerCapture(event.pointerId);
    event.preventDefault();
    line.focus();
  });
  line.addEventListener("pointermove", (event) => {
    if (!line.hasPointerCapture(event.pointerId)) return;
    const box = find("canvas").getBoundingClientRect();
    move((event.clientX - box.left) / box.width);
  });
  line.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -0.05, ArrowRight: 0.05 }[event.key];
    if (!step) return;
    event.preventDefault();
    move(state.cut + step);
  });
  return line;
}

/** Names the weights that each part of the view shows. */
function fillBadges({ state }: Store): void {
  const badges = find("badges");
  const shown = shownBinds(state);
  badges.dataset.parts = String(shown.length);
  const text = state.fitting ? ["No weights yet: place the skeleton first"] : shown.map(bindName);
  // On the landing page visitors do not know the methods yet.
  const isIntro = document.body.classList.contains("intro");
  badges.replaceChildren(
    ...text.map((name) =>
      make(
        "span",
        { class: "badge" },
        make("i", {}),
        make("span", {}, isIntro && name === NAIVE ? "Naive" : name),
      ),
    ),
  );
  badges.hidden = text.length === 0;
}
