import {
  findingText,
  influenceHistogram,
  REMEDY_TEXT,
  VERTEX_DOUBT_TEXT,
} from "../../../src/parts.ts";
import { currentBind, currentWeights } from "../binds.ts";
import { boneDoubtLines } from "../bone-doubt-lines.ts";
import { doubtfulVertices, groupDoubts } from "../group-doubts.ts";
import type { State, Store } from "../store.ts";
import { button, find, make, section } from "./dom.ts";
import type { PoseStrip } from "./pose-strip.ts";
import { percent, vertices } from "./words.ts";

/** Maximum length of the list; nobody reads longer ones. */
const MAX_DOUBTS = 12;

/**
 * Creates the panel that summarizes the quality of the weights and lists what to look at.
 *
 * @param flyTo receives the vertices of a doubt, and its joint
 * @param fix receives the findings to fix, by index
 * @param strip the poses of the check
 */
export function createQualityPanel(
  store: Store,
  flyTo: (vertices: number[], joint: number) => void,
  fix: (findings: number[]) => void,
  strip: PoseStrip,
): void {
  const { state } = store;
  const words = make("ul", { class: "words", id: "quality" });
  const doubts = make("ul", { class: "doubts", id: "doubts" });
  const figures = make("dl", { class: "figures", id: "figures" });
  const histogram = make("div", { class: "histogram", id: "histogram" });
  const error = button("Show where they differ", "error-button", () => {
    state.look = "error";
    state.cover = 1;
    store.changed("look");
  });
  const panel = section(
    "Is it good?",
    true,
    words,
    strip.element,
    doubts,
    error,
    make(
      "details",
      { class: "more", id: "numbers" },
      make("summary", {}, "Numbers"),
      figures,
      make("h3", {}, "Joints per vertex"),
      histogram,
    ),
  );
  find("right").append(panel);
  const update = () => {
    panel.hidden = !currentBind(state);
    words.replaceChildren(...qualityWords(state).map((text) => make("li", {}, text)));
    fillDoubts(doubts, store, flyTo, fix, strip.choose);
    fillFigures(figures, state);
    fillHistogram(histogram, state);
    error.hidden = state.comparison === undefined;
  };
  store.on(["binds", "weights", "doubts", "comparison", "character"], update);
  update();
}

function small(text: string, onclick: () => void, title?: string): HTMLButtonElement {
  return make("button", { type: "button", class: "small", onclick, ...(title && { title }) }, text);
}

/** Summary of the weights in sentences, the most important first. */
export function qualityWords(state: State): string[] {
  const weights = currentWeights(state);
  if (!state.doubts || !weights) {
    return [state.isUnreviewed ? "The review failed." : "Reviewing …"];
  }
  const groups = groupDoubts(state.doubts, weights);
  // Truncated weights are listed but not counted: the visitor set the limit, and its damage shows in the poses.
  const doubtful = doubtfulVertices(groups.filter(({ reason }) => reason !== "clipped"));
  const { noun, are } = vertices(doubtful);
  const { findings } = state.doubts.poses;
  const verdict =
    findings.length > 0
      ? `${findings.length === 1 ? "1 fault shows" : `${findings.length} faults show`} when it moves.`
      : doubtful === 0
        ? "Nothing stands out."
        : `${noun} ${are} worth a look.`;
  const words = [verdict, ...validityWords(state), ...comparisonWords(state)];
  return words;
}

function validityWords({ validity }: State): string[] {
  if (!validity) return [];
  const { errors, before = 0 } = validity;
  if (errors > 0 && before > 0) {
    const added = errors <= before ? "" : `, ${errors - before} of them new`;
    return [
      `The Khronos validator finds ${errors} ${errors === 1 ? "error" : "errors"} in the file to save${added}, and ${before} in the file you opened.`,
    ];
  }
  if (errors === 0) return ["The file to save is valid according to the Khronos validator."];
  return [
    `The Khronos validator finds ${errors === 1 ? "1 error" : `${errors} errors`} in the file to save.`,
  ];
}

function comparisonWords({ comparison }: State): string[] {
  if (!comparison) return [];
  const { score, bleedBefore } = comparison;
  const steps: [number, string][] = [
    [0.1, "Nearly the same as the file's own weights."],
    [0.3, "Close to the file's own weights."],
    [0.6, "Different from the file's own weights in places."],
    [2, "Quite different from the file's own weights."],
  ];
  const words = [steps.find(([most]) => score.l1Raw <= most)?.[1] ?? steps[3][1]];
  const bleed = score.bleed ?? 0;
  if (Math.abs(bleed - bleedBefore) > 0.01) {
    const less = bleed < bleedBefore ? "Less" : "More";
    words.push(
      `${less} weight on far joints than the file's: ${percent(bleed)} against ${percent(bleedBefore)}.`,
    );
  }
  return words;
}

function fillDoubts(
  element: HTMLElement,
  store: Store,
  flyTo: (vertices: number[], joint: number) => void,
  fix: (findings: number[]) => void,
  showPose: (pose: number) => void,
): void {
  const { state } = store;
  const names = state.character?.prepared.character.skeleton.names ?? [];
  const weights = currentWeights(state);
  const item = (text: string, joint: number, marked: number[]) => {
    const onclick = () => {
      state.joint = joint;
      state.marked = marked;
      store.changed("joint");
      flyTo(marked, joint);
    };
    return make("li", {}, make("button", { type: "button", class: "link", onclick }, text));
  };
  const findings = (state.doubts?.poses.findings ?? [])
    .slice(0, MAX_DOUBTS)
    .map((finding, index) => {
      const show = item(findingText(finding, names), finding.joint, [...finding.vertices]);
      if (!state.doubts?.poses.poses[finding.pose]) return show;
      const actions = [small("Show the pose", () => showPose(finding.pose))];
      const remedy = REMEDY_TEXT[finding.fault];
      if (remedy) actions.push(small("Fix", () => fix([index]), `Fix: ${remedy}`));
      show.append(make("div", { class: "row" }, ...actions));
      return show;
    });
  const fixable = (state.doubts?.poses.findings ?? []).flatMap(({ fault }, index) =>
    REMEDY_TEXT[fault] ? [index] : [],
  );
  if (fixable.length > 1) {
    const all = small("Fix all", () => fix(fixable));
    all.id = "fix-all-button";
    findings.unshift(make("li", {}, all));
  }
  const groups = state.doubts && weights ? groupDoubts(state.doubts, weights) : [];
  const rows = groups.slice(0, MAX_DOUBTS).map(({ reason, joint, vertices: own }) => {
    const { noun, are } = vertices(own.length);
    return item(`${noun} at ${names[joint]} ${are} ${VERTEX_DOUBT_TEXT[reason]}`, joint, own);
  });
  const lines = boneDoubtLines(state.doubts?.bones ?? [], names);
  const bones = lines.map(({ text, joint }) => item(text, joint, []));
  element.replaceChildren(...findings, ...rows, ...bones);
  element.hidden = findings.length + rows.length + bones.length === 0;
}

function fillFigures(element: HTMLElement, { comparison }: State): void {
  element.replaceChildren();
  if (!comparison) return;
  const { score, bleedBefore } = comparison;
  const rows: [string, string, string][] = [
    ["L1", score.l1Raw.toFixed(3), "Mean difference to the file's weights, 0 to 2"],
    ["Distance error", score.distance.toFixed(4), "Mean distance of posed vertices, in heights"],
    ["Bleed", percent(score.bleed ?? 0), "Weight on far joints"],
    ["Bleed of the file", percent(bleedBefore), "The same for the file's weights"],
  ];
  for (const [name, value, title] of rows) {
    element.append(make("dt", { title }, name), make("dd", {}, value));
  }
}

function fillHistogram(element: HTMLElement, state: State): void {
  const weights = currentWeights(state);
  const counts = weights ? influenceHistogram(weights) : [];
  const total = Math.max(
    1,
    counts.reduce((sum, n) => sum + n, 0),
  );
  element.replaceChildren(
    ...counts.slice(1).map((n, i) =>
      make(
        "div",
        { class: "bar-row" },
        make("span", {}, String(i + 1)),
        make("progress", {
          class: "bar",
          max: total,
          value: n,
          "aria-label": `${n} vertices with ${i + 1} joints`,
        }),
        make("span", {}, `${Math.round((n / total) * 100)} %`),
      ),
    ),
  );
}
