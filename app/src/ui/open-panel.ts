import { SAMPLES } from "../../../samples/index.ts";
import { ENDINGS } from "../../../src/io/index.ts";
import type { Actions } from "../actions.ts";
import type { PickedFile } from "../file-worker.ts";
import type { Store } from "../store.ts";
import { find, make } from "./dom.ts";

/** Endings the file picker offers; more than one file may be chosen. */
const ACCEPT = `${ENDINGS},.mtl,.bin,.txt,.png,.jpg,.jpeg,.webp`;

/** Where characters come in: drop, picker, gallery. */
export function createOpenPanel(store: Store, actions: Actions): void {
  const landing = find("landing");
  const input = find<HTMLInputElement>("file-input");
  input.accept = ACCEPT;
  const gallery = make(
    "ul",
    { class: "gallery", id: "gallery", "aria-label": "Samples" },
    ...SAMPLES.map(({ name, title }) =>
      make(
        "li",
        {},
        make(
          "button",
          { type: "button", "data-sample": name, onclick: () => void openSample(name) },
          make("img", { src: `./samples/${name}.png`, alt: "", width: 120, height: 120 }),
          make("span", {}, title),
        ),
      ),
    ),
  );
  const pick = make(
    "button",
    { type: "button", class: "primary", onclick: () => input.click() },
    "choose files",
  );
  landing.append(
    make(
      "div",
      { class: "drop" },
      make("p", { class: "drop-title" }, "Drop a character here, or ", pick),
      make(
        "p",
        { class: "note" },
        "GLB, VRM, FBX, DAE, glTF with its files, or an OBJ with a file that has the skeleton. Nothing is uploaded.",
      ),
    ),
    make("h2", {}, "Or take one of these"),
    gallery,
    make(
      "button",
      {
        type: "button",
        id: "close-landing",
        class: "close",
        "aria-label": "Close",
        onclick: () => hide(),
      },
      "×",
    ),
  );
  const hide = () => {
    landing.hidden = true;
    // On a phone the gallery is longer than the screen.
    scrollTo(0, 0);
  };
  const openSample = (name: string) => {
    hide();
    return actions.openSample(name);
  };
  const openFiles = (files: PickedFile[]) => {
    if (files.length === 0) return;
    hide();
    void actions.openFiles(files).then(() => {
      if (!store.state.character) landing.hidden = false;
    });
  };
  find("open-button").addEventListener("click", () => input.click());
  find("samples-button").addEventListener("click", () => {
    landing.hidden = !landing.hidden && store.state.character !== undefined;
    if (!landing.hidden) landing.querySelector<HTMLElement>("[data-sample]")?.focus();
  });
  input.addEventListener("change", () => {
    openFiles([...(input.files ?? [])].map((content) => ({ name: content.name, content })));
    input.value = "";
  });
  connectDrop(openFiles);
  store.on(["character"], () =>
    find("close-landing").toggleAttribute("hidden", !store.state.character),
  );
  find("close-landing").hidden = true;
}

/** Takes files and folders dropped anywhere on the page. */
function connectDrop(open: (files: PickedFile[]) => void): void {
  const { classList } = document.body;
  addEventListener("dragover", (event) => {
    event.preventDefault();
    classList.add("dragging");
  });
  addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) classList.remove("dragging");
  });
  addEventListener("drop", (event) => {
    event.preventDefault();
    classList.remove("dragging");
    const entries = [...(event.dataTransfer?.items ?? [])].map((item) => item.webkitGetAsEntry());
    const plain = [...(event.dataTransfer?.files ?? [])];
    void collect(entries.filter((entry) => entry !== null)).then((found) =>
      open(found.length > 0 ? found : plain.map((content) => ({ name: content.name, content }))),
    );
  });
}

/** All files in what was dropped, folders included. */
async function collect(entries: FileSystemEntry[]): Promise<PickedFile[]> {
  const found: PickedFile[] = [];
  for (const entry of entries) {
    if (entry.isFile) {
      const content = await new Promise<File>((resolve, reject) =>
        (entry as FileSystemFileEntry).file(resolve, reject),
      );
      found.push({ name: content.name, content });
    } else {
      const reader = (entry as FileSystemDirectoryEntry).createReader();
      const inside = await new Promise<FileSystemEntry[]>((resolve, reject) =>
        reader.readEntries(resolve, reject),
      );
      found.push(...(await collect(inside)));
    }
  }
  return found;
}
