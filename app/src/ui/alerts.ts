import { find, make } from "./dom.ts";
import { icon } from "./icons.ts";

/** A message that stays while its cause lasts. */
let lasting: string | undefined;

/** Shows an alert at the top of the page until it is closed or replaced. */
export function showAlert(sentence: string): void {
  find("alerts").replaceChildren(box("alert", sentence));
}

/**
 * Shows a notice, which is not an error, with an optional button.
 *
 * @returns a function that removes it when it no longer applies
 */
export function showNotice(
  sentence: string,
  offer?: { text: string; act: () => void },
): () => void {
  const notice = box("alert notice", sentence);
  if (offer) {
    const act = () => {
      notice.remove();
      offer.act();
    };
    const button = make("button", { type: "button", class: "offer", onclick: act }, offer.text);
    notice.lastElementChild?.before(button);
  }
  find("alerts").replaceChildren(notice);
  return () => notice.remove();
}

/** Shows a message for as long as its cause lasts; other messages replace it only for a while. */
export function showLasting(sentence: string | undefined): void {
  lasting = sentence;
  clearAlert();
}

/** Removes an alert, but not a notice. */
export function clearError(): void {
  if (document.querySelector("#alerts .alert:not(.notice)")) clearAlert();
}

/** Removes the message. */
export function clearAlert(): void {
  find("alerts").replaceChildren(
    ...(lasting === undefined ? [] : [make("div", { class: "alert" }, make("span", {}, lasting))]),
  );
}

function box(kind: string, sentence: string): HTMLElement {
  return make(
    "div",
    { class: kind },
    make("span", {}, sentence),
    make(
      "button",
      { type: "button", class: "close", "aria-label": "Close", onclick: () => clearAlert() },
      icon("close"),
    ),
  );
}
