import { SAMPLES } from "../../../samples/index.ts";
import { ENDINGS } from "../../../src/formats/index.ts";
import type { Actions } from "../actions/actions.ts";
import type { PickedFile } from "../file-calls.ts";
import type { Store } from "../store.ts";
import { button, find, make } from "./dom.ts";
import { connectDrop } from "./drop-files.ts";
import { picked } from "./weights-panel.ts";

/** Endings the file picker offers; more than one file may be chosen. */
const ACCEPT = `${ENDINGS},.mtl,.bin,.txt,.png,.jpg,.jpeg,.webp`;

/** Where the documents are. */
const DOCS = "https://github.com/heterskin/heterskin";

/** Where characters come in: drop, picker, gallery, and what this is all about. */
export function createOpenPanel(store: Store, actions: Actions): void {
  const landing = find("landing");
  const { classList } = document.body;
  const input = find<HTMLInputElement>("file-input");
  input.accept = ACCEPT;
  const show = (isShown: boolean) => {
    landing.hidden = !isShown;
    // On a phone the gallery is longer than the screen.
    if (!isShown) scrollTo(0, 0);
  };
  /** From the show to the work: weights and bones come into view. */
  const leaveIntro = () => {
    if (!classList.contains("intro")) return;
    classList.remove("intro");
    Object.assign(store.state, { look: "heat", cover: 0.85, hasSkeleton: true });
    store.changed("look");
  };
  const openSample = (name: string) => {
    show(false);
    leaveIntro();
    return actions.openSample(name);
  };
  /** Files that are not there yet. */
  const expected = new Set<PickedFile[]>();
  const openFiles = (files: PickedFile[]) => {
    if (files.length === 0) return;
    expected.add(files);
    void actions.openFiles(files).finally(() => expected.delete(files));
  };
  // Once it is there, not once it is bound: a gallery opened meanwhile stays open.
  store.on(["character"], () => {
    if (expected.size === 0) return;
    expected.clear();
    show(false);
    leaveIntro();
  });
  landing.append(
    ...introduction(),
    make(
      "div",
      { class: "row landing-actions" },
      button("Open a character", "pick-button", () => input.click(), { class: "primary" }),
      button("Try the tools", "tools-button", () => {
        leaveIntro();
        show(false);
      }),
    ),
    make("h2", {}, "Or take one of these"),
    gallery((name) => void openSample(name)),
    links(),
    button("×", "close-landing", () => show(false), { class: "close", "aria-label": "Close" }),
  );
  find("open-button").addEventListener("click", () => input.click());
  find("samples-button").addEventListener("click", () => {
    show(landing.hidden === true);
    if (!landing.hidden) landing.querySelector<HTMLElement>("[data-sample]")?.focus();
  });
  landing.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !classList.contains("intro")) show(false);
  });
  input.addEventListener("change", () => {
    openFiles(picked(input.files));
    input.value = "";
  });
  connectDrop(openFiles);
}

function introduction(): HTMLElement[] {
  const picture = make("img", {
    src: "./weights.svg",
    width: 250,
    height: 92,
    alt: "An arm bent at the elbow: without weights it breaks, with weights it bends.",
  });
  return [
    make(
      "p",
      { class: "headline" },
      "Skin weights say how a character's surface follows its bones.",
    ),
    picture,
    make(
      "p",
      {},
      "Give HeterSkin a 3D character, and it finds them: here, in your browser. No file leaves it",
      make("span", { "data-promise": true }),
      ".",
    ),
    make(
      "p",
      { class: "note" },
      "GLB, VRM, FBX, DAE, OBJ, or glTF with its files. With a skeleton, or without: then you place one.",
    ),
  ];
}

function gallery(open: (name: string) => void): HTMLElement {
  return make(
    "ul",
    { class: "gallery", id: "gallery", "aria-label": "Samples" },
    ...SAMPLES.map(({ name, title }) =>
      make(
        "li",
        {},
        make(
          "button",
          { type: "button", "data-sample": name, title, onclick: () => open(name) },
          make("img", { src: `./samples/${name}.png`, alt: "", width: 96, height: 96 }),
          make("span", {}, name[0].toUpperCase() + name.slice(1)),
        ),
      ),
    ),
  );
}

function links(): HTMLElement {
  const link = (text: string, path: string) =>
    make("a", { href: `${DOCS}${path}`, rel: "noreferrer", target: "_blank" }, text);
  return make(
    "p",
    { class: "note links" },
    link("How this page works", "/blob/main/docs/page.md"),
    link("Formats", "/blob/main/docs/formats.md"),
    link("Source code", ""),
  );
}
