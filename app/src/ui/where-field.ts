import { findService, storedToken, storeToken } from "../service.ts";
import type { Store } from "../store.ts";
import { isLarge, LARGE, whereOf } from "../where-of.ts";
import { choice, field, make } from "./dom.ts";

/** Creates the choice between this browser and the server; it appears if the page's host has a service. */
export function createWhereField(store: Store): HTMLElement {
  const { state } = store;
  const where = choice(
    "where",
    "Where",
    [
      { value: "browser", text: "In this browser" },
      { value: "server", text: "On the server" },
    ],
    (value) => {
      state.where = value;
      store.changed("options");
    },
  );
  const token = make("input", {
    type: "password",
    id: "token",
    autocomplete: "off",
    value: storedToken(),
    onchange: () => storeToken(token.value.trim()),
  });
  const tokenField = field("Token", token, "Kept until this tab is closed.");
  const note = make("p", { class: "note", id: "where-note" });
  const element = make(
    "div",
    { id: "where", class: "where", hidden: true },
    where.element,
    tokenField,
    note,
  );
  const update = () => {
    element.hidden = !state.service;
    where.set(whereOf(state));
    tokenField.hidden = !state.service?.needsToken || whereOf(state) !== "server";
    note.textContent = whereText(store);
  };
  store.on(["character", "options", "fitting", "binds"], update);
  void findService().then((service) => {
    state.service = service;
    if (service) softenPromises();
    update();
  });
  return element;
}

/** Explains the choice for the open character. */
function whereText({ state }: Store): string {
  if (state.learnedFrom) {
    return `The style learned from ${state.learnedFrom} exists only here, so the network binds in this browser.`;
  }
  if (whereOf(state) === "server") {
    return `Mesh, skeleton and weights are sent to ${location.host}, which deletes them once the result has arrived. Textures stay here.`;
  }
  const many = LARGE.toLocaleString("en");
  return isLarge(state)
    ? `Nothing leaves this browser. From ${many} vertices on, this may take long here, and more memory than a page is granted.`
    : `Nothing leaves this browser. From ${many} vertices on, the page proposes the server, which saves memory and time on this device.`;
}

/** With a service, the page must not promise what the visitor may choose otherwise. */
function softenPromises(): void {
  for (const promise of document.querySelectorAll("[data-promise]")) {
    promise.textContent = ", unless you choose the server";
  }
}
