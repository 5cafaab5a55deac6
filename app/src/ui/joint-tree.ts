import { childrenOf } from "../../../src/parts.ts";
import type { Store } from "../store.ts";
import { find, make } from "./dom.ts";

/** The tree of joints with a search field; shows and sets the selected joint and the locks. */
export function createJointTree(store: Store): void {
  const { state } = store;
  const search = make("input", {
    type: "search",
    placeholder: "Find a joint",
    "aria-label": "Find a joint",
    oninput: () => filter(),
  });
  const list = make("ul", {
    class: "joints",
    role: "listbox",
    "aria-label": "Joints",
    tabindex: 0,
  });
  const title = make("h2", {}, "Joints");
  find("left").append(title, search, list);
  let rows: HTMLLIElement[] = [];

  function fill() {
    rows = [];
    if (state.character) {
      const { skeleton } = state.character.prepared.character;
      const children = childrenOf(skeleton);
      const open = rootsOf(skeleton.parents).map((joint) => ({ joint, depth: 0 }));
      while (open.length > 0) {
        const { joint, depth } = open.shift()!;
        rows.push(row(joint, skeleton.names[joint], depth));
        open.unshift(...children[joint].map((child) => ({ joint: child, depth: depth + 1 })));
      }
    }
    title.textContent = rows.length > 0 ? `Joints (${rows.length})` : "Joints";
    list.replaceChildren(...rows);
    search.value = "";
    mark();
  }

  function row(joint: number, name: string, depth: number): HTMLLIElement {
    const element = make(
      "li",
      {
        role: "option",
        id: `joint-${joint}`,
        class: `depth-${Math.min(depth, 12)}`,
        "data-joint": joint,
        title: name,
        onclick: () => select(joint),
      },
      name,
    );
    return element;
  }

  function select(joint: number) {
    state.joint = joint;
    state.marked = [];
    store.changed("joint");
  }

  function mark() {
    for (const element of rows) {
      const joint = Number(element.dataset.joint);
      const isChosen = joint === state.joint;
      element.setAttribute("aria-selected", String(isChosen));
      element.classList.toggle("locked", state.locked.has(joint));
      if (isChosen) {
        list.setAttribute("aria-activedescendant", element.id);
        reveal(element);
      }
    }
  }

  /** Scrolls the list alone: scrollIntoView would move the page on a phone. */
  function reveal(element: HTMLElement) {
    const top = element.offsetTop - list.offsetTop;
    if (top < list.scrollTop || top > list.scrollTop + list.clientHeight - 30) {
      list.scrollTop = top - list.clientHeight / 2;
    }
  }

  function filter() {
    const text = search.value.trim().toLowerCase();
    for (const element of rows) {
      element.hidden = !element.textContent!.toLowerCase().includes(text);
    }
    const first = rows.find((element) => !element.hidden);
    if (text && first) select(Number(first.dataset.joint));
  }

  list.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const shown = rows.filter((element) => !element.hidden);
    const at = shown.findIndex((element) => Number(element.dataset.joint) === state.joint);
    const next = shown[Math.max(0, Math.min(shown.length - 1, at + step))];
    if (next) select(Number(next.dataset.joint));
  });
  store.on(["character"], fill);
  store.on(["joint", "brush"], mark);
}

function rootsOf(parents: Int32Array): number[] {
  return [...parents.keys()].filter((joint) => parents[joint] < 0);
}
