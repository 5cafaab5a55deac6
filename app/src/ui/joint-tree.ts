import { currentWeights } from "../binds.ts";
import { type Affixes, sharedAffixes, shortName } from "../shared-affixes.ts";
import type { Store } from "../store.ts";
import { jointColor } from "../view/colors.ts";
import { find, make } from "./dom.ts";
import { icon } from "./icons.ts";
import { type JointRow, jointReach, jointRows, jointsAbove } from "./joint-rows.ts";

/** Last characters of a name that are always visible: they contain the side and the number. */
const TAIL = 7;
/** Maximum indented depth: the names need the space. */
const DEEPEST = 12;

/** Creates the tree of joints with a search field; it folds, and it shows, hides, locks and selects joints. */
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
    role: "tree",
    "aria-label": "Joints",
    tabindex: 0,
  });
  const title = make("h2", {}, "Joints");
  const prefix = make("p", { class: "note", id: "joint-prefix" });
  const hint = make(
    "p",
    { class: "note tree-hint" },
    "← → fold, L locks, H hides, S shows alone, F looks at it",
  );
  find("left").append(title, search, prefix, list, hint);
  let rows: HTMLLIElement[] = [];
  let tree: JointRow[] = [];
  const folded = new Set<number>();

  function fill() {
    rows = [];
    tree = [];
    folded.clear();
    if (state.character) {
      const { skeleton } = state.character.prepared.character;
      const shared = sharedAffixes(skeleton.names);
      const parts = [shared.prefix, shared.suffix]
        .filter((text) => text !== "")
        .map((text) => `“${text.trim()}”`);
      prefix.textContent = `Names without ${parts.join(" and ")}`;
      prefix.hidden = parts.length === 0;
      tree = jointRows(skeleton);
      rows = tree.map((entry) => row(entry, skeleton.names[entry.joint], shared));
    }
    title.textContent = rows.length > 0 ? `Joints (${rows.length})` : "Joints";
    hint.hidden = search.hidden = rows.length === 0;
    list.replaceChildren(...rows);
    search.value = "";
    show();
    mark();
    measure();
  }

  function row({ joint, depth, hasChildren }: JointRow, name: string, shared: Affixes) {
    const short = shortName(name, shared);
    const cut = Math.max(0, short.length - TAIL);
    const toggle = (kind: string, title: string, act: () => void, ...icons: Node[]) =>
      make(
        "span",
        {
          class: `joint-toggle ${kind}`,
          title,
          "aria-hidden": "true",
          onclick(event) {
            event.stopPropagation();
            act();
          },
        },
        ...icons,
      );
    const fold = hasChildren
      ? toggle("fold", "Fold", () => flipFold(joint), icon("chevron"))
      : make("span", { class: "fold-room" });
    const swatch = make("i", { class: "swatch" });
    swatch.style.background = `#${jointColor(joint).getHexString()}`;
    const element = make(
      "li",
      {
        role: "treeitem",
        id: `joint-${joint}`,
        "aria-level": depth + 1,
        "data-joint": joint,
        "data-name": name.toLowerCase(),
        title: name,
        onclick: () => select(joint),
        onpointerenter: () => hover(joint),
        onpointerleave: () => hover(undefined),
      },
      fold,
      swatch,
      make(
        "span",
        { class: "name" },
        make("span", { class: "name-head" }, short.slice(0, cut)),
        make("span", { class: "name-tail" }, short.slice(cut)),
      ),
      make("span", { class: "reach", "aria-hidden": "true" }, make("i", {})),
      toggle("solo", "Show only what it moves (S)", () => flipSolo(joint), icon("solo")),
      toggle(
        "eye",
        "Hide or show its bone (H)",
        () => flipHidden(joint),
        icon("eye"),
        icon("hidden"),
      ),
      toggle(
        "lock",
        "Lock or unlock its weights (L)",
        () => flipLock(joint),
        icon("unlock"),
        icon("lock"),
      ),
    );
    element.style.setProperty("--depth", String(Math.min(depth, DEEPEST)));
    return element;
  }

  function flipLock(joint: number) {
    if (!state.locked.delete(joint)) state.locked.add(joint);
    store.changed("brush");
  }

  function flipHidden(joint: number) {
    if (!state.hidden.delete(joint)) state.hidden.add(joint);
    store.changed("joint");
  }

  function flipSolo(joint: number) {
    state.solo = state.solo === joint ? undefined : joint;
    state.joint = joint;
    store.changed("joint");
  }

  function flipFold(joint: number) {
    if (!folded.delete(joint)) folded.add(joint);
    show();
  }

  function hover(joint: number | undefined) {
    if (state.hovered === joint) return;
    state.hovered = state.shining = joint;
    store.changed("hover", "shine");
  }

  function select(joint: number) {
    state.joint = joint;
    if (state.solo !== undefined) state.solo = joint;
    state.marked = [];
    store.changed("joint");
  }

  /** Shows the rows that match the search, or those in open branches. */
  function show() {
    const text = search.value.trim().toLowerCase();
    const parents = state.character?.prepared.character.skeleton.parents ?? new Int32Array(0);
    rows.forEach((element, i) => {
      const { joint, hasChildren } = tree[i];
      element.hidden = text
        ? !element.dataset.name!.includes(text)
        : jointsAbove(parents, joint).some((above) => folded.has(above));
      if (hasChildren) element.setAttribute("aria-expanded", String(!folded.has(joint)));
    });
  }

  function mark() {
    const parents = state.character?.prepared.character.skeleton.parents;
    const above = parents && state.joint < parents.length ? jointsAbove(parents, state.joint) : [];
    if (above.some((joint) => folded.delete(joint))) show();
    for (const element of rows) {
      const joint = Number(element.dataset.joint);
      const isChosen = joint === state.joint;
      const facts = [
        state.locked.has(joint) && "locked",
        state.hidden.has(joint) && "hidden",
        state.solo === joint && "alone",
      ].filter((fact) => fact !== false);
      element.setAttribute("aria-selected", String(isChosen));
      element.classList.toggle("locked", state.locked.has(joint));
      element.classList.toggle("unseen", state.hidden.has(joint));
      element.classList.toggle("alone", state.solo === joint);
      if (facts.length > 0)
        element.setAttribute("aria-label", `${element.title}, ${facts.join(", ")}`);
      else element.removeAttribute("aria-label");
      if (isChosen && list.getAttribute("aria-activedescendant") !== element.id) {
        list.setAttribute("aria-activedescendant", element.id);
        reveal(element);
      }
    }
  }

  function markHovered() {
    for (const element of rows) {
      element.classList.toggle("hovered", Number(element.dataset.joint) === state.hovered);
    }
  }

  /** Updates the bars that show how much of the body each joint moves. */
  function measure() {
    const weights = currentWeights(state);
    const reach = weights && jointReach(weights, tree.length);
    list.classList.toggle("with-reach", reach !== undefined);
    rows.forEach((element, i) => {
      const bar = element.querySelector<HTMLElement>(".reach i");
      const share = reach?.[tree[i].joint] ?? 0;
      // The eye compares areas: next to a trunk, a hand would have no bar.
      if (bar) bar.style.width = `${Math.round(100 * Math.sqrt(share))}%`;
      element.classList.toggle("idle", reach !== undefined && share < 1e-4);
    });
  }

  /** Scrolls only the list: scrollIntoView would scroll the page on a phone. */
  function reveal(element: HTMLElement) {
    const top = element.offsetTop - list.offsetTop;
    if (top < list.scrollTop || top > list.scrollTop + list.clientHeight - 30) {
      list.scrollTop = top - list.clientHeight / 2;
    }
  }

  function filter() {
    show();
    const first = rows.find((element) => !element.hidden);
    if (search.value.trim() && first) select(Number(first.dataset.joint));
  }

  /** Opens a folded joint or moves into it; the other way, folds it or moves out of it. */
  function goAcross(isIn: boolean) {
    const entry = tree.find(({ joint }) => joint === state.joint);
    const parents = state.character?.prepared.character.skeleton.parents;
    if (!entry || !parents) return;
    const isOpen = entry.hasChildren && !folded.has(entry.joint);
    if (isIn && entry.hasChildren && !isOpen) flipFold(entry.joint);
    else if (isIn && isOpen) select(parents.indexOf(entry.joint));
    else if (!isIn && isOpen) flipFold(entry.joint);
    else if (!isIn && parents[entry.joint] >= 0) select(parents[entry.joint]);
  }

  list.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const act = {
      l: () => flipLock(state.joint),
      h: () => flipHidden(state.joint),
      s: () => flipSolo(state.joint),
      ArrowRight: () => goAcross(true),
      ArrowLeft: () => goAcross(false),
    }[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (act) {
      event.preventDefault();
      event.stopPropagation();
      return act();
    }
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
  store.on(["hover"], markHovered);
  store.on(["binds", "weights"], measure);
  fill();
}
