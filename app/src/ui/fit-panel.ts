import { TEMPLATES } from "../../../src/parts.ts";
import type { Actions } from "../actions/actions.ts";
import type { Store } from "../store.ts";
import { button, choice, find, make, section, tick } from "./dom.ts";
import { picked } from "./weights-panel.ts";

/** The panel for a mesh without skeleton: a template to drag into place, or the skeleton of a file. */
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
    // By the time a file is chosen the mesh may have a skeleton, or another file be open.
    if (file && state.fitting) void actions.takeSkeleton(file);
  });
  const other = button("Take the skeleton of a file", "skeleton-button", () => input.click());
  other.classList.add("wide");
  const panel = section(
    "It has no skeleton yet",
    true,
    make("p", { class: "note" }, "Choose what it is, then drag the dots to its joints."),
    templates.element,
    mirrored.element,
    snapping.element,
    accept,
    make("p", { class: "note" }, "Or drop a file that has the skeleton."),
    other,
  );
  panel.id = "fit-panel";
  find("right").prepend(panel);
  const update = () => {
    panel.hidden = state.fitting === undefined;
    document.body.classList.toggle("fitting", state.fitting !== undefined);
    if (!state.fitting) return;
    templates.set(state.fitting.template as never);
    mirrored.input.checked = state.fitting.isMirrored;
    snapping.input.checked = state.fitting.isSnapping;
  };
  store.on(["character", "fitting"], update);
  update();
}
