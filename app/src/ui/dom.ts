type Child = Node | string | undefined;

/** Attributes and listeners of an element: `on...` is a listener, `class` and `for` are as in HTML. */
export type Attributes = Record<
  string,
  string | number | boolean | undefined | ((event: Event) => void)
>;

/** Creates an element; attributes that are false or undefined are omitted. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (value !== undefined && value !== false) {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
  element.append(...children.filter((child) => child !== undefined));
  return element;
}

/** Returns the element of the page with an id. */
export function find<T extends HTMLElement = HTMLElement>(id: string): T {
  const element = document.getElementById(id);
  if (!element) throw new Error(`find: the page has no #${id}.`);
  return element as T;
}

/** Creates a collapsible section of the side bar. */
export function section(title: string, isOpen: boolean, ...children: Child[]): HTMLDetailsElement {
  return make(
    "details",
    { class: "section", open: isOpen },
    make("summary", {}, make("h2", {}, title)),
    make("div", { class: "section-body" }, ...children),
  );
}

/** Creates a labeled control. */
export function field(label: string, control: HTMLElement, hint?: string): HTMLLabelElement {
  return make(
    "label",
    { class: "field", ...(hint ? { title: hint } : {}) },
    make("span", {}, label),
    control,
  );
}

/** Creates a choice between a few values, as a row of buttons that behave like radio buttons. */
export function choice<V extends string>(
  name: string,
  label: string,
  options: readonly { value: V; text: string; title?: string }[],
  onPick: (value: V) => void,
): {
  element: HTMLFieldSetElement;
  set(value: V): void;
  enable(value: V, isOn: boolean): void;
  /** Changes the text of a choice. */
  name(value: V, text: string): void;
} {
  const inputs = new Map<V, HTMLInputElement>();
  const element = make("fieldset", { class: "choice" }, make("legend", { class: "quiet" }, label));
  for (const { value, text, title } of options) {
    const input = make("input", { type: "radio", name, value, onchange: () => onPick(value) });
    inputs.set(value, input);
    element.append(make("label", { ...(title ? { title } : {}) }, input, make("span", {}, text)));
  }
  return {
    element,
    set: (value) => {
      for (const [own, input] of inputs) input.checked = own === value;
    },
    enable: (value, isOn) => {
      const input = inputs.get(value);
      if (input) input.disabled = !isOn;
    },
    name: (value, text) => {
      const shown = inputs.get(value)?.nextElementSibling;
      if (shown && shown.textContent !== text) shown.textContent = text;
    },
  };
}

/** Creates a check box with its label. */
export function tick(
  label: string,
  onTick: (isOn: boolean) => void,
): { element: HTMLLabelElement; input: HTMLInputElement } {
  const input = make("input", { type: "checkbox" });
  input.addEventListener("change", () => onTick(input.checked));
  return { element: make("label", { class: "tick" }, input, label), input };
}

/** Creates a slider with its value next to it. */
export function slider(
  attributes: { min: number; max: number; step: number; value: number; label: string },
  onInput: (value: number) => void,
): { element: HTMLSpanElement; set(value: number): void } {
  const { label, ...range } = attributes;
  const input = make("input", { type: "range", "aria-label": label, ...range });
  const shown = make("output", {}, String(range.value));
  input.addEventListener("input", () => {
    shown.textContent = input.value;
    onInput(Number(input.value));
  });
  return {
    element: make("span", { class: "slider" }, input, shown),
    set(value) {
      input.value = String(value);
      shown.textContent = input.value;
    },
  };
}

/** Creates a button with a text. */
export function button(
  text: string,
  id: string,
  onclick: () => void,
  attributes: Attributes = {},
): HTMLButtonElement {
  return make("button", { type: "button", id, onclick, ...attributes }, text);
}
