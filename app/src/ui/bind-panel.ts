import { METHOD_NAMES, type MethodName } from "../../../src/index.ts";
import type { Actions } from "../actions/actions.ts";
import { currentBind, METHOD_TITLES } from "../binds.ts";
import type { Store } from "../store.ts";
import { button, field, find, make, section, slider, tick } from "./dom.ts";
import { createWhereField } from "./where-field.ts";
import { duration } from "./words.ts";

/** Creates the panel that binds: method, limits, a button, and the duration. */
export function createBindPanel(store: Store, actions: Actions): void {
  const { state } = store;
  const changed = () => store.changed("options");
  const method = make("select", {
    id: "method",
    onchange: () => {
      state.options.method = method.value as MethodName;
      changed();
    },
  });
  for (const name of METHOD_NAMES.filter((known) => Object.hasOwn(METHOD_TITLES, known))) {
    method.append(make("option", { value: name }, METHOD_TITLES[name]));
  }
  const influences = number("influences", 1, 8, (value) => {
    state.options.maxInfluences = value ?? 4;
    changed();
  });
  const resolution = number("resolution", 16, 256, (value) => {
    state.options.resolution = value;
    changed();
  });
  resolution.placeholder = "auto";
  const smooth = slider({ min: 0, max: 10, step: 1, value: 0, label: "Smoothing" }, (value) => {
    state.options.smooth = value;
    changed();
  });
  const provider = make("select", {
    id: "provider",
    onchange: () => {
      state.options.provider = provider.value as typeof state.options.provider;
      changed();
    },
  });
  for (const [value, text] of [
    ["auto", "Automatic"],
    ["webgpu", "Graphics card (WebGPU, 5 MB more)"],
    ["wasm", "Processor (WebAssembly)"],
  ]) {
    provider.append(make("option", { value }, text));
  }
  const symmetry = tick("Both sides alike", (isOn) => {
    state.options.symmetry = isOn;
    changed();
  });
  symmetry.input.id = "symmetry";
  const symmetryNote = make("p", { class: "note", id: "symmetry-note" });
  const bind = button("Bind again", "bind-button", () => void actions.bind(), { class: "wide" });
  const cancel = button("Cancel", "cancel-button", () => actions.cancel(), { class: "wide" });
  const result = make("p", { class: "note", id: "bind-result", role: "status" });
  find("right").append(
    section(
      "Bind another way",
      true,
      field("Method", method),
      field("Joints per vertex", influences, "Maximum joints per vertex; most engines support 4."),
      field("Smoothing", smooth.element),
      symmetry.element,
      symmetryNote,
      make(
        "details",
        { class: "more" },
        make("summary", {}, "More"),
        field("Grid cells", resolution, "Cells along the longest side, 16 to 256."),
        field("Runs on", provider),
      ),
      createWhereField(store),
      bind,
      cancel,
      result,
    ),
  );
  const update = () => {
    const isBusy = state.busy !== undefined;
    bind.hidden = isBusy;
    bind.disabled = !state.character || state.fitting !== undefined;
    cancel.hidden = !isBusy;
    result.textContent = isBusy ? "" : resultText(store);
    const { options } = state;
    method.value = options.method;
    influences.value = String(options.maxInfluences);
    resolution.value = options.resolution === undefined ? "" : String(options.resolution);
    smooth.set(options.smooth);
    provider.value = options.provider;
    symmetry.input.checked = options.symmetry;
    symmetry.input.disabled = state.facts?.isSymmetric !== true;
    symmetryNote.textContent = symmetryText(store);
  };
  store.on(["character", "binds", "weights", "busy", "brush", "options", "fitting"], update);
  update();
}

function symmetryText({ state }: Store): string {
  if (!state.facts) return "";
  if (!state.facts.isSymmetric)
    return "This character's two sides differ, so each receives its own weights.";
  return state.options.symmetry
    ? "This character is symmetric: both sides receive the same weights."
    : "This character is symmetric, but each side receives its own weights.";
}

function number(
  id: string,
  min: number,
  max: number,
  onPick: (value: number | undefined) => void,
): HTMLInputElement {
  const input = make("input", { type: "number", id, min, max, step: 1 });
  input.addEventListener("change", () => {
    if (input.value === "") return onPick(undefined);
    const inside = Math.max(min, Math.min(max, Math.round(Number(input.value))));
    input.value = String(inside);
    onPick(inside);
  });
  return input;
}

function resultText({ state }: Store): string {
  const { result, milliseconds = 0 } = currentBind(state) ?? {};
  if (!result) return "";
  if (result.isReused) return `Done in ${duration(milliseconds)}; the earlier solution was reused.`;
  const stages = Object.entries(result.timings)
    .filter(([stage, ms]) => stage !== "download" && ms >= 10)
    .map(([stage, ms]) => `${stage} ${duration(ms)}`);
  if (result.isRemote) {
    return `Done in ${duration(milliseconds)} on the server (${stages.join(", ")}).`;
  }
  const where = result.provider === "webgpu" ? "WebGPU" : "WebAssembly";
  const threads = result.threads > 1 ? `${result.threads} threads` : "one thread";
  const engine = result.provider ? `${where}, ${threads}` : threads;
  const wait = result.timings.download ?? 0;
  const cold = wait > 200 ? ` It waited ${duration(wait)} for the network to load.` : "";
  const wanted = currentBind(state)?.options?.provider;
  const missing =
    wanted === "webgpu" && result.provider === "wasm"
      ? " This browser has no WebGPU, so the processor ran the network."
      : "";
  const how = [stages.join(", "), engine].filter((part) => part !== "").join("; ");
  return `Done in ${duration(milliseconds)} (${how}).${cold}${missing}`;
}
