import { find, make } from "./dom.ts";
import { icon } from "./icons.ts";

/** A sentence that stays while its cause lasts. */
let lasting: string | undefined;

/** Shows a sentence at the top of the page until it is closed or the next one comes. */
export function showAlert(sentence: string): void {
  find("alerts").replaceChildren(box("alert", sentence));
}

/**
 * Shows a sentence that is no fault, with a button that acts on it.
 *
 * @returns what takes it away once it is no longer so
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

/** Shows a sentence for as long as its cause lasts; nothing takes its place for good. */
export function showLasting(sentence: string | undefined): void {
  lasting = sentence;
  clearAlert();
}

/** Takes an alert away, and leaves a notice. */
export function calmAlert(): void {
  if (document.querySelector("#alerts .alert:not(.notice)")) clearAlert();
}

/** Takes the sentence away. */
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
