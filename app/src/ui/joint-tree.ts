import { childrenOf } from "../../../src/parts.ts";
import { type Affixes, sharedAffixes, shortName } from "../shared-affixes.ts";
import type { Store } from "../store.ts";
import { find, make } from "./dom.ts";

/** So many letters at the end of a name are always seen: they tell left from right, and the number. */
const TAIL = 7;

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
  const prefix = make("p", { class: "note", id: "joint-prefix" });
  const hint = make("p", { class: "note" }, "↑ ↓ choose, L locks");
  find("left").append(title, search, prefix, list, hint);
  let rows: HTMLLIElement[] = [];

  function fill() {
    rows = [];
    if (state.character) {
      const { skeleton } = state.character.prepared.character;
      const shared = sharedAffixes(skeleton.names);
      const folded = [shared.prefix, shared.suffix]
        .filter((text) => text !== "")
        .map((text) => `“${text.trim()}”`);
      prefix.textContent = `Names without ${folded.join(" and ")}`;
      prefix.hidden = folded.length === 0;
      const children = childrenOf(skeleton);
      const open = rootsOf(skeleton.parents).map((joint) => ({ joint, depth: 0 }));
      while (open.length > 0) {
        const { joint, depth } = open.shift()!;
        rows.push(row(joint, skeleton.names[joint], shared, depth));
        open.unshift(...children[joint].map((child) => ({ joint: child, depth: depth + 1 })));
      }
    }
    title.textContent = rows.length > 0 ? `Joints (${rows.length})` : "Joints";
    list.replaceChildren(...rows);
    search.value = "";
    mark();
  }

  function row(joint: number, name: string, shared: Affixes, depth: number): HTMLLIElement {
    const short = shortName(name, shared);
    const cut = Math.max(0, short.length - TAIL);
    const lock = make("span", { class: "lock", title: "Lock or unlock", onclick: toggle });
    function toggle(event: Event) {
      event.stopPropagation();
      flipLock(joint);
    }
    return make(
      "li",
      {
        role: "option",
        id: `joint-${joint}`,
        class: `depth-${Math.min(depth, 12)}`,
        "data-joint": joint,
        "data-name": name.toLowerCase(),
        title: name,
        onclick: () => select(joint),
      },
      make("span", { class: "name-head" }, short.slice(0, cut)),
      make("span", { class: "name-tail" }, short.slice(cut)),
      lock,
    );
  }

  function flipLock(joint: number) {
    if (!state.locked.delete(joint)) state.locked.add(joint);
    store.changed("brush");
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
      const isLocked = state.locked.has(joint);
      element.setAttribute("aria-selected", String(isChosen));
      element.classList.toggle("locked", isLocked);
      if (isLocked) element.setAttribute("aria-label", `${element.title}, locked`);
      else element.removeAttribute("aria-label");
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
    for (const element of rows) element.hidden = !element.dataset.name!.includes(text);
    const first = rows.find((element) => !element.hidden);
    if (text && first) select(Number(first.dataset.joint));
  }

  list.addEventListener("keydown", (event) => {
    if (event.key.toLowerCase() === "l") return flipLock(state.joint);
    const shown = rows.filter((element) => !element.hidden);
    const at = shown.findIndex((element) => Number(element.dataset.joint) === state.joint);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: shown.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = shown[Math.max(0, Math.min(shown.length - 1, to))];
    if (next) select(Number(next.dataset.joint));
  });
  store.on(["character"], fill);
  store.on(["joint", "brush"], mark);
}

function rootsOf(parents: Int32Array): number[] {
  return [...parents.keys()].filter((joint) => parents[joint] < 0);
}
