import type { Ask } from "../ask.ts";
import { make } from "./dom.ts";

/** Takes back the question that stands. */
let withdraw = () => {};

/** Takes the question that stands back; it has no answer then. */
export function withdrawQuestion(): void {
  withdraw();
}

/** Asks in a dialog that must be answered; Esc is no answer, nor is a new question in its place. */
export const ask: Ask = (question, choices, refusal = "Cancel") =>
  new Promise((resolve) => {
    withdraw();
    const dialog = make("dialog", { class: "ask", "aria-labelledby": "ask-question" });
    const close = (value: string | undefined) => {
      withdraw = () => {};
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
    withdraw = () => close(undefined);
    document.body.append(dialog);
    dialog.showModal();
  });
