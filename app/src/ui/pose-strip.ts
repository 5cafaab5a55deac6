import { findingText, type PoseFinding, REMEDY_TEXT } from "../../../src/parts.ts";
import type { Actions } from "../actions/actions.ts";
import type { Store } from "../store.ts";
import type { CharacterView } from "../view/character-view.ts";
import { make } from "./dom.ts";
import { icon } from "./icons.ts";
import { recordPose } from "./pose-panel.ts";

/** Side of a thumbnail in pixels, for screens with two per CSS pixel. */
const SIZE = 148;
/** Maximum wait for an idle page (ms): it is never idle while the view draws in software. */
const IDLE = { timeout: 250 };

/** Thumbnails of the poses of the check, worst first. */
export interface PoseStrip {
  element: HTMLElement;
  /** Poses the character as in the check, and points the camera there. */
  choose(pose: number): void;
  /** Sets the view that draws the thumbnails and looks at the findings. */
  connect(view: CharacterView, flyTo: (vertices: number[], joint: number) => void): void;
}

/** Creates the strip: a click poses the character, points the camera there and offers the remedy. */
export function createPoseStrip(store: Store, actions: Actions): PoseStrip {
  const { state } = store;
  let view: CharacterView | undefined;
  let flyTo: (vertices: number[], joint: number) => void = () => undefined;
  let chosen = -1;
  let drawn: unknown;
  const list = make("ul", { class: "pose-list", "aria-label": "Poses of the check, worst first" });
  const words = make("p", { class: "note", id: "pose-words", role: "status" });
  const fix = make(
    "button",
    { type: "button", id: "pose-fix", class: "small primary", onclick: () => void remedy() },
    "Fix",
  );
  const step = (by: number, name: "previous" | "next") =>
    make(
      "button",
      {
        type: "button",
        id: `pose-${name}`,
        class: "icon-button small",
        "aria-label": name === "next" ? "Next pose" : "Previous pose",
        onclick: () => choose((chosen + by + count()) % count()),
      },
      icon(name),
    );
  const rest = make(
    "button",
    { type: "button", id: "pose-rest", class: "small", onclick: () => choose(-1) },
    "Back to rest",
  );
  const bar = make(
    "div",
    { class: "row pose-bar" },
    step(-1, "previous"),
    step(1, "next"),
    fix,
    rest,
  );
  const element = make("div", { class: "pose-strip", id: "pose-strip" }, list, words, bar);
  const check = () => state.doubts?.poses;
  const count = () => Math.max(1, check()?.poses.length ?? 0);
  const findingsOf = (pose: number): { finding: PoseFinding; index: number }[] =>
    (check()?.findings ?? [])
      .map((finding, index) => ({ finding, index }))
      .filter(({ finding }) => finding.pose === pose);

  /** Poses the character as in the check; -1 is the rest pose. */
  function choose(pose: number): void {
    const checked = check()?.poses[pose];
    const before = state.rotations;
    chosen = checked ? pose : -1;
    state.clip = { ...state.clip, index: -1, isPlaying: false };
    state.rotations = checked
      ? checked.rotations.slice()
      : Float32Array.from(before, (_, i) => (i % 4 === 3 ? 1 : 0));
    recordPose(store, actions, before);
    const [worst] = findingsOf(pose);
    state.marked = worst ? [...worst.finding.vertices] : [];
    if (worst) state.joint = worst.finding.joint;
    store.changed("pose", "joint");
    if (worst) flyTo(state.marked, state.joint);
    else if (checked) view?.framePosed();
    else view?.frame();
    mark();
  }

  async function remedy(): Promise<void> {
    const own = findingsOf(chosen).filter(({ finding }) => REMEDY_TEXT[finding.fault]);
    if (own.length > 0) await actions.fix(own.map(({ index }) => index));
  }

  function mark(): void {
    const names = state.character?.prepared.character.skeleton.names ?? [];
    for (const [i, item] of [...list.children].entries()) {
      item.querySelector("button")?.setAttribute("aria-pressed", String(i === chosen));
    }
    const own = findingsOf(chosen);
    bar.hidden = chosen < 0;
    words.hidden = chosen < 0;
    // Only the worst one; the list below has all.
    const more = own.length - 1;
    words.textContent =
      own.length > 0
        ? `${findingText(own[0].finding, names)}${more > 0 ? ` And ${more} more.` : ""}`
        : "Nothing tears, floats or flattens in this pose.";
    const fixable = own.filter(({ finding }) => REMEDY_TEXT[finding.fault]);
    fix.hidden = fixable.length === 0;
    fix.title = fixable.map(({ finding }) => REMEDY_TEXT[finding.fault]).join("; ");
  }

  /** Draws the thumbnails of a new check one at a time, so that the page stays responsive. */
  async function draw(): Promise<void> {
    const poses = check()?.poses ?? [];
    const wanted = check();
    element.hidden = poses.length === 0 || !view;
    if (wanted === drawn) return;
    drawn = wanted;
    // Different weights are checked in the pose that is shown.
    chosen = poses.findIndex(({ rotations }) =>
      rotations.every((value, i) => value === state.rotations[i]),
    );
    const names = state.character?.prepared.character.skeleton.names ?? [];
    const items = poses.map((pose, i) => {
      const faults = findingsOf(i).length;
      const joints = pose.joints.map((joint) => names[joint]).join(", ");
      const text = faults > 0 ? `${faults} ${faults === 1 ? "fault" : "faults"}` : "good";
      return make(
        "li",
        {},
        make(
          "button",
          {
            type: "button",
            class: faults > 0 ? "pose faulty" : "pose",
            "aria-label": `Pose ${i + 1}, ${text}: ${joints}`,
            "aria-pressed": "false",
            title: joints,
            onclick: () => choose(i === chosen ? -1 : i),
          },
          make("span", { class: "pose-mark" }, faults > 0 ? String(faults) : "✓"),
        ),
      );
    });
    list.replaceChildren(...items);
    mark();
    for (const [i, { rotations }] of poses.entries()) {
      await new Promise<unknown>((done) => {
        // Safari lacks requestIdleCallback.
        if ("requestIdleCallback" in window) requestIdleCallback(done, IDLE);
        else setTimeout(done);
      });
      if (drawn !== wanted || !view) return;
      const picture = view.thumbnail(rotations, SIZE);
      if (picture) items[i].firstElementChild?.prepend(picture);
    }
  }

  store.on(["doubts", "character", "binds"], () => void draw());
  return {
    element,
    choose,
    connect(given, fly) {
      [view, flyTo] = [given, fly];
      drawn = undefined;
      void draw();
    },
  };
}
