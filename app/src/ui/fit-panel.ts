import { CONVENTIONS, type Convention, TEMPLATES } from "../../../src/parts.ts";
import type { Actions } from "../actions/actions.ts";
import type { Store } from "../store.ts";
import { button, choice, field, find, make, section, slider, tick } from "./dom.ts";
import { picked } from "./weights-panel.ts";

/** Titles of the naming conventions. */
const NAMES: Record<Convention, string> = {
  own: "Plain (upperArm.L)",
  mixamo: "Mixamo",
  vrm: "VRM",
  unreal: "Unreal",
  unity: "Unity",
  rigify: "Blender Rigify",
};

/** Creates the panel for a mesh without a skeleton: a template to drag into place, or the skeleton of a file. */
export function createFitPanel(store: Store, actions: Actions): void {
  const { state } = store;
  const templates = choice(
    "template",
    "What is it?",
    TEMPLATES.map(({ name, title }) => ({
      value: name,
      text: name[0].toUpperCase() + name.slice(1),
      title,
    })),
    (name) => void actions.fit(name),
  );
  const fingers = slider(
    { min: 0, max: 5, step: 1, value: 0, label: "Fingers per hand" },
    () => undefined,
  );
  // On release only: every change fits the skeleton again.
  fingers.element.addEventListener("change", () => {
    const count = Number(fingers.element.querySelector("input")?.value);
    if (state.fitting) void actions.fit(state.fitting.template, { fingers: count });
  });
  const fingersField = field("Fingers", fingers.element, "Fingers of each hand.");
  const names = make(
    "select",
    {
      id: "joint-names",
      onchange: () => {
        if (state.fitting) state.fitting.names = names.value as Convention;
      },
    },
    ...CONVENTIONS.map((name) => make("option", { value: name }, NAMES[name])),
  );
  const namesField = field(
    "Names",
    names,
    "Names of the joints, for the program that will use them.",
  );
  const chains = tick("Joints for ears, tails, hair and cloth", (hasChains) => {
    if (state.fitting) void actions.fit(state.fitting.template, { hasChains });
  });
  const mirrored = tick("Move both sides", (isOn) => {
    if (state.fitting) state.fitting.isMirrored = isOn;
  });
  const snapping = tick("Snap to the middle of the body", (isOn) => {
    if (state.fitting) state.fitting.isSnapping = isOn;
  });
  const accept = button("Bind with this skeleton", "accept-skeleton", () => {
    void actions.acceptSkeleton();
  });
  accept.classList.add("primary", "wide");
  const input = find<HTMLInputElement>("skeleton-input");
  input.addEventListener("change", () => {
    const [file] = picked(input.files);
    input.value = "";
    // In the meantime the mesh may have received a skeleton, or another file may be open.
    if (file && state.fitting) void actions.takeSkeleton(file);
  });
  const other = button("Use the skeleton of a file", "skeleton-button", () => input.click());
  other.classList.add("wide");
  const undo = button("Undo", "fit-undo", actions.undo);
  const redo = button("Redo", "fit-redo", actions.redo);
  const lead = make("p", { class: "note" });
  const panel = section(
    "Place the skeleton",
    true,
    lead,
    templates.element,
    fingersField,
    namesField,
    chains.element,
    mirrored.element,
    snapping.element,
    make("div", { class: "row" }, undo, redo),
    accept,
    make("p", { class: "note" }, "Or drop a file with the skeleton."),
    other,
  );
  panel.id = "fit-panel";
  find("right").prepend(panel);
  const back = button("Adjust the skeleton", "adjust-skeleton", () => {
    void actions.adjustSkeleton();
  });
  back.classList.add("wide");
  panel.after(make("div", { class: "adjust" }, back));
  const update = () => {
    const { fitting } = state;
    panel.hidden = fitting === undefined;
    back.parentElement!.hidden = fitting !== undefined || state.fitted === undefined;
    document.body.classList.toggle("fitting", fitting !== undefined);
    if (!fitting) return;
    lead.textContent = fitting.template
      ? "Choose what it is, then drag the dots to its joints."
      : "Drag the dots to its joints, or choose a template instead.";
    templates.set(fitting.template as never);
    fingers.set(fitting.fingers);
    names.value = fitting.names;
    fingersField.hidden = namesField.hidden = fitting.template !== "biped";
    chains.input.checked = fitting.hasChains;
    chains.element.hidden = fitting.template === "";
    mirrored.input.checked = fitting.isMirrored;
    snapping.input.checked = fitting.isSnapping;
  };
  const updateSteps = () => {
    undo.disabled = !actions.history.canUndo();
    redo.disabled = !actions.history.canRedo();
  };
  store.on(["character", "fitting"], update);
  store.on(["character", "fitting", "brush", "pose", "busy"], updateSteps);
  update();
  updateSteps();
}
