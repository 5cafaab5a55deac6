import type { Ask } from "../ask.ts";
import { make } from "./dom.ts";

/** Cancels the open question. */
let cancelOpen = () => {};

/** Cancels the open question, which resolves to undefined. */
export function cancelQuestion(): void {
  cancelOpen();
}

/** Asks in a modal dialog. Esc or another question cancels it, which resolves to undefined. */
export const ask: Ask = (question, choices, refusal = "Cancel") =>
  new Promise((resolve) => {
    cancelOpen();
    const dialog = make("dialog", { class: "ask", "aria-labelledby": "ask-question" });
    const close = (value: string | undefined) => {
      cancelOpen = () => {};
      dialog.close();
      dialog.remove();
      resolve(value);
    };
    dialog.append(
      make("p", { id: "ask-question" }, question),
      make(
        "div",
        { class: "ask-choices" },
        ...choices.map(({ value, text }) =>
          make(
            "button",
            { type: "button", "data-answer": value, onclick: () => close(value) },
            text,
          ),
        ),
        make(
          "button",
          { type: "button", class: "quiet-button", onclick: () => close(undefined) },
          refusal,
        ),
      ),
    );
    dialog.addEventListener("cancel", (event) => {
      event.preventDefault();
      close(undefined);
    });
    cancelOpen = () => close(undefined);
    document.body.append(dialog);
    dialog.showModal();
  });
