import { find, make } from "./dom.ts";

/** Shows a sentence at the top of the page until it is closed or the next one comes. */
export function showAlert(sentence: string): void {
  const box = make(
    "div",
    { class: "alert" },
    make("span", {}, sentence),
    make(
      "button",
      { type: "button", class: "close", "aria-label": "Close", onclick: () => box.remove() },
      "×",
    ),
  );
  find("alerts").replaceChildren(box);
}

/** Takes the sentence away. */
export function clearAlert(): void {
  find("alerts").replaceChildren();
}
