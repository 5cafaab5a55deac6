import type { Actions } from "../actions/actions.ts";
import { bindName } from "../binds.ts";
import type { PickedFile } from "../file-calls.ts";
import type { KeptBind } from "../kept-bind.ts";
import type { Store } from "../store.ts";
import { button, find, make, section } from "./dom.ts";
import { icon } from "./icons.ts";

/** Creates the list of all weights of the character: select, compare, derive others. */
export function createWeightsPanel(store: Store, actions: Actions): void {
  const { state } = store;
  const list = make("ul", {
    class: "binds",
    id: "binds",
    "aria-label": "Weights of this character",
  });
  const refine = button("Clean up", "refine-button", () => void actions.refine(), {
    title: "Remove weight from joints that are far away inside the body",
  });
  const input = make("input", {
    type: "file",
    id: "transfer-input",
    multiple: true,
    hidden: true,
    "aria-label": "A character to transfer weights from",
  });
  input.addEventListener("change", () => {
    void actions.transfer(picked(input.files));
    input.value = "";
  });
  const transfer = button("Transfer from a character", "transfer-button", () => input.click(), {
    title: "Weights from the body beneath clothes, or from another level of detail",
  });
  const panel = section(
    "Weights",
    true,
    list,
    make("div", { class: "row" }, refine, transfer, input),
  );
  find("right").append(panel);
  const update = () => {
    list.replaceChildren(...state.binds.map((bind) => row(store, actions, bind)));
    panel.hidden = state.binds.length === 0;
    refine.disabled = state.busy !== undefined;
    transfer.disabled = state.busy !== undefined;
  };
  store.on(["binds", "weights", "character", "busy"], update);
  update();
}

function row({ state }: Store, actions: Actions, bind: KeptBind): HTMLElement {
  const isCurrent = bind.id === state.current;
  const isOther = bind.id === state.other && !isCurrent;
  const name = bindName(bind);
  const choose = make(
    "button",
    {
      type: "button",
      class: "bind-row",
      "aria-pressed": String(isCurrent),
      onclick: () => actions.choose(bind.id),
    },
    make("strong", {}, name),
    make("span", { class: "note" }, bind.detail),
  );
  const compare = make(
    "button",
    {
      type: "button",
      class: "bind-compare",
      "aria-pressed": String(isOther),
      "aria-label": `Compare with ${name}`,
      title: "Compare with these",
      disabled: isCurrent || state.binds.length < 2,
      onclick: () => actions.compareWith(bind.id),
    },
    icon("compare"),
  );
  const remove = make(
    "button",
    {
      type: "button",
      class: "close",
      "aria-label": `Remove ${name}`,
      title: "Remove",
      disabled: state.binds.length < 2,
      onclick: () => actions.removeBind(bind.id),
    },
    icon("close"),
  );
  return make(
    "li",
    { class: isCurrent ? "current" : isOther ? "other" : "" },
    choose,
    compare,
    remove,
  );
}

/** Converts the files of a picker. */
export function picked(files: Iterable<File> | null): PickedFile[] {
  return [...(files ?? [])].map((content) => ({ name: content.name, content }));
}
