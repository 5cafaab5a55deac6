import { ENDINGS } from "../../../src/formats/index.ts";
import type { Actions } from "../actions/actions.ts";
import type { PickedFile } from "../file-calls.ts";
import { GALLERY, type GalleryEntry } from "../gallery.ts";
import { takeLaunchedFiles } from "../keep-offline.ts";
import type { Store } from "../store.ts";
import { button, find, make } from "./dom.ts";
import { connectDrop } from "./drop-files.ts";
import { icon } from "./icons.ts";
import { picked } from "./weights-panel.ts";

/** Extensions in the file picker; several files may be chosen. */
const ACCEPT = `${ENDINGS},.zip,.mtl,.bin,.txt,.png,.jpg,.jpeg,.webp`;

/** Address of the documentation. */
const DOCS = "https://github.com/heterskin/heterskin";

/** Creates the panel that opens characters: drop, picker, gallery, and what the page is about. */
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
  /** Leaves the landing page: weights and bones appear. */
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
  /** Sample files that are missing. */
  const expected = new Set<PickedFile[]>();
  const openFiles = (files: PickedFile[]) => {
    if (files.length === 0) return;
    expected.add(files);
    void actions.openFiles(files).finally(() => expected.delete(files));
  };
  // When the character is open, not when it is bound: a gallery opened in the meantime stays open.
  store.on(["character"], () => {
    if (expected.size === 0) return;
    expected.clear();
    show(false);
    leaveIntro();
  });
  landing.append(
    make(
      "div",
      { class: "row landing-actions" },
      button("Open a character", "pick-button", () => input.click(), { class: "primary" }),
      button("Try the tools", "tools-button", () => {
        leaveIntro();
        show(false);
      }),
    ),
    make("h2", {}, "Or try one of these"),
    gallery(
      "gallery",
      "Characters",
      GALLERY.filter(({ poster }) => poster),
      (name) => void openSample(name),
    ),
    make(
      "details",
      { class: "more", id: "more-fold" },
      make("summary", {}, "Simpler ones, for quick tests"),
      gallery(
        "more-samples",
        "Simple characters",
        GALLERY.filter(({ poster }) => !poster),
        (name) => void openSample(name),
      ),
    ),
    links(),
    make(
      "button",
      {
        type: "button",
        id: "close-landing",
        class: "close",
        "aria-label": "Close",
        onclick: () => show(false),
      },
      icon("close"),
    ),
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
  takeLaunchedFiles(openFiles);
}

/** Lists characters to choose from: with images, or only as text. */
function gallery(
  id: string,
  label: string,
  entries: GalleryEntry[],
  open: (name: string) => void,
): HTMLElement {
  const entry = ({ name, label, title, poster }: GalleryEntry) =>
    make(
      "button",
      { type: "button", "data-sample": name, title, onclick: () => open(name) },
      ...(poster ? [make("img", { src: poster, alt: "", width: 96, height: 96 })] : []),
      make("span", {}, label),
    );
  const rows = entries.map((one) => make("li", {}, entry(one)));
  return make("ul", { class: id, id, "aria-label": label }, ...rows);
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
