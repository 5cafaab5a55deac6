import { METHOD_NAMES } from "../../../src/index.ts";
import type { Actions } from "../actions.ts";
import type { Store } from "../store.ts";
import { field, find, make, section, slider } from "./dom.ts";
import { duration } from "./words.ts";

/** What the methods are called for visitors. */
const METHODS: Record<string, string> = {
  heterskinnet: "HeterSkinNet",
  heat: "Bone heat",
  hollow: "HollowDist",
  "geodesic-voxel": "Geodesic voxel",
  euclid: "Straight distance",
};

/** The panel that binds: method, limits, a button, and how long it took. */
export function createBindPanel(store: Store, actions: Actions): void {
  const { state } = store;
  const { options } = state;
  const changed = () => store.changed("options");
  const method = make("select", {
    id: "method",
    onchange: () => {
      options.method = method.value;
      changed();
    },
  });
  for (const name of METHOD_NAMES.filter((known) => Object.hasOwn(METHODS, known))) {
    method.append(make("option", { value: name }, METHODS[name]));
  }
  const influences = number("influences", 1, 8, options.maxInfluences, (value) => {
    options.maxInfluences = value ?? 4;
    changed();
  });
  const resolution = number("resolution", 16, 256, undefined, (value) => {
    if (value === undefined) delete options.resolution;
    else options.resolution = value;
    changed();
  });
  resolution.placeholder = "auto";
  const smooth = slider({ min: 0, max: 10, step: 1, value: 0, label: "Smoothing" }, (value) => {
    options.smooth = value;
    changed();
  });
  const provider = make("select", {
    id: "provider",
    onchange: () => {
      options.provider = provider.value as typeof options.provider;
      changed();
    },
  });
  for (const [value, text] of [
    ["auto", "fastest here"],
    ["webgpu", "WebGPU"],
    ["wasm", "WebAssembly"],
  ]) {
    provider.append(make("option", { value }, text));
  }
  const button = make(
    "button",
    {
      type: "button",
      class: "primary wide",
      id: "bind-button",
      onclick: () => void actions.bind(),
    },
    "Bind",
  );
  const cancel = make(
    "button",
    { type: "button", class: "wide", id: "cancel-button", onclick: () => actions.cancel() },
    "Cancel",
  );
  const result = make("p", { class: "note", id: "bind-result", role: "status" });
  find("right").append(
    section(
      "Bind",
      true,
      field("Method", method),
      field("Joints per vertex", influences, "Most influences a vertex may have; engines like 4."),
      field("Smoothing", smooth.element),
      make(
        "details",
        { class: "more" },
        make("summary", {}, "More"),
        field("Grid cells", resolution, "Cells along the longest side, 16 to 256."),
        field("Runs on", provider),
      ),
      button,
      cancel,
      result,
    ),
  );
  const update = () => {
    const isBusy = state.busy !== undefined;
    button.hidden = isBusy && state.character !== undefined;
    button.disabled = !state.character;
    cancel.hidden = !isBusy || !state.character;
    result.textContent = resultText(store);
  };
  store.on(["character", "weights", "busy"], update);
  update();
}

function number(
  id: string,
  min: number,
  max: number,
  value: number | undefined,
  onPick: (value: number | undefined) => void,
): HTMLInputElement {
  const input = make("input", { type: "number", id, min, max, step: 1, value });
  input.addEventListener("change", () => {
    if (input.value === "") return onPick(undefined);
    const inside = Math.max(min, Math.min(max, Math.round(Number(input.value))));
    input.value = String(inside);
    onPick(inside);
  });
  return input;
}

function resultText({ state }: Store): string {
  const { binding, character } = state;
  if (!character || !binding) return "";
  const { result, milliseconds } = binding;
  if (result.isReused)
    return `Done in ${duration(milliseconds)}; the solution of before was reused.`;
  const stages = Object.entries(result.timings)
    .filter(([stage, ms]) => stage !== "download" && ms >= 10)
    .map(([stage, ms]) => `${stage} ${duration(ms)}`);
  const where = result.provider === "webgpu" ? "WebGPU" : "WebAssembly";
  const threads = result.threads > 1 ? `${result.threads} threads` : "one thread";
  const engine = result.provider ? `${where}, ${threads}` : threads;
  return `Done in ${duration(milliseconds)} (${stages.join(", ")}; ${engine}).`;
}
