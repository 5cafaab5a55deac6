import type { Loss } from "../../../src/formats/index.ts";
import type { Actions } from "../actions/actions.ts";
import { bindName, currentBind } from "../binds.ts";
import { commandLine } from "../command-line.ts";
import { pageReport } from "../page-report.ts";
import type { OfferedFormat, SaveFormat } from "../save-file.ts";
import type { State, Store } from "../store.ts";
import { showNotice } from "./alerts.ts";
import { button, find, make, tick } from "./dom.ts";
import { flash } from "./flash.ts";
import { saveBlob, stemOf } from "./save-blob.ts";

/** Maximum number of losses named in a sentence. */
const SHOWN_LOSSES = 2;

/** Creates the bar that saves the character, always in view; it names the weights in the file. */
export function createSaveBar(store: Store, actions: Actions): void {
  const { state } = store;
  const baseName = () => stemOf(state.source.file);
  const withMotions = (format: SaveFormat) =>
    motions.input.checked && !motions.element.hidden && format !== "dae";
  const save = async (format: SaveFormat) => {
    // Another file may be open by the time this one is written.
    const names = withMotions(format) ? (state.motions?.names ?? []) : [];
    const lost = lossSentence(state, format, names.length > 0);
    const stem = `${baseName()}.${WEIGHTS_ALONE.some(([kind]) => kind === format) ? "weights" : "skinned"}`;
    const saved = await actions.save({ format, stem, motions: names });
    if (!saved) return;
    saveBlob(saved.name, new Blob([saved.bytes]));
    const sentences = [
      `${saved.name} is saved in your browser's download folder.`,
      ...(lost ? [lost] : []),
      NEXT[format],
    ];
    showNotice(sentences.join(" "));
  };
  const motions = tick("With generated motions (walk, idle, …)", () => showLoss());
  motions.input.id = "with-motions";
  const report = button("Report (JSON)", "save-report", () => {
    const text = `${JSON.stringify(pageReport(state), null, 2)}\n`;
    saveBlob(`${baseName()}.report.json`, new Blob([text], { type: "application/json" }));
  });
  const command = make("code", { id: "command", tabindex: 0, "aria-label": "Command" });
  const copy = button("Copy", "copy-command", () => {
    navigator.clipboard?.writeText(command.textContent ?? "").then(
      () => flash(copy, "Copied"),
      () => flash(copy, "Not allowed"),
    );
  });
  const note = make("p", { class: "note" });
  const lost = make("p", { class: "note", id: "lost" });
  const primary = make("div", { class: "row save-row" });
  const others = make("div", { class: "row save-others", role: "group", "aria-label": "Save as" });
  const bar = make(
    "div",
    { class: "save-bar", id: "save-bar" },
    primary,
    others,
    motions.element,
    lost,
    make(
      "details",
      { class: "more" },
      make("summary", {}, "Weights alone, report, command line"),
      make(
        "div",
        { class: "row", role: "group", "aria-label": "Weights alone" },
        ...WEIGHTS_ALONE.map(([format, text]) =>
          button(text, `save-${format.replace(".", "-")}`, () => void save(format), {
            class: "small",
          }),
        ),
        report,
      ),
      make("div", { class: "command" }, command, copy),
      note,
    ),
  );
  report.classList.add("small");
  find("right-foot").append(bar);

  /** What is not carried over to the preferred format, or to GLB, which most visitors choose otherwise. */
  function showLoss() {
    const preferred = state.character?.formats[0].format ?? "glb";
    lost.textContent =
      lossSentence(state, preferred, withMotions(preferred)) ||
      lossSentence(state, "glb", withMotions("glb"));
    lost.hidden = lost.textContent === "";
  }
  const buttonOf = ({ format }: OfferedFormat, i: number) => {
    const id = i === 0 && format !== "glb" ? "save-own" : `save-${format}`;
    const attributes = i === 0 ? {} : { class: "small" };
    return button(TITLES[format], id, () => void save(format), attributes);
  };
  const fill = () => {
    const [first, ...rest] = (state.character?.formats ?? []).map(buttonOf);
    if (!first) return;
    primary.replaceChildren(first);
    others.replaceChildren(make("span", { class: "note" }, "or as"), ...rest);
  };
  const update = () => {
    const bind = currentBind(state);
    const [preferred] = state.character?.formats ?? [];
    bar.hidden = !bind || !preferred;
    if (!bind || !preferred) return;
    const first = primary.firstElementChild as HTMLElement;
    fillButton(first, TITLES[preferred.format], bindName(bind));
    // There is no need to urge visitors to save the file as it was opened.
    first.classList.toggle("primary", bind.origin !== "file");
    const makes = state.motions?.names ?? [];
    motions.element.hidden = makes.length === 0 || (state.character?.clips.clips.length ?? 0) > 0;
    motions.input.title = makes.join(", ");
    state.character?.formats.slice(1).forEach(({ format }, i) => {
      const button = others.querySelectorAll("button")[i];
      const losses = lossSentence(state, format, withMotions(format));
      button.title = [`Save as ${TITLES[format]}.`, losses].join(" ").trim();
    });
    showLoss();
    // Lines wrap between words, not after the hyphens of a flag.
    const words = commandLine(state).split(/(?= )/);
    command.replaceChildren(...words.map((word) => make("span", {}, word)));
    note.textContent = bind.isPainted ? "The command does not include painted changes." : "";
  };
  store.on(["character"], fill);
  store.on(["character", "binds", "weights", "brush", "options"], update);
  fill();
  update();
}

/** Names what a button saves; long names are truncated. */
function fillButton(element: HTMLElement, format: string, name: string): void {
  element.title = name;
  element.replaceChildren(
    make("span", {}, `Save ${format}`),
    make("span", { class: "save-of" }, `: ${name}`),
  );
}

/** Titles of the formats for characters. */
const TITLES: Record<OfferedFormat["format"], string> = {
  glb: "GLB",
  gltf: "glTF",
  vrm: "VRM",
  fbx: "FBX",
  dae: "DAE",
  usda: "USD",
  usdz: "USDZ",
};

/** Formats for weights without a character, and their titles. */
const WEIGHTS_ALONE = [
  ["xml", "Maya (XML)"],
  ["ng.json", "ngSkinTools"],
  ["json", "JSON"],
  ["csv", "CSV"],
] as const;

/** What to do with a file of each format. */
const NEXT: Record<SaveFormat, string> = {
  glb: "Drag it into Blender, Godot or three.js; Unity takes it with glTFast, Unreal by Import.",
  gltf: "Unpack a ZIP first: its parts belong together. Then import the .gltf into Blender or Godot.",
  vrm: "Use it in VRoid Hub, in VSeeFace, or in Unity with UniVRM.",
  fbx: "Import it into Maya, Unity or Unreal, or drag it into Blender.",
  dae: "Import it as before; only the weights differ from your file.",
  usda: "Import it into Houdini, Omniverse or Blender; keep the folder of its textures next to it.",
  usdz: "Import it into Houdini, Omniverse or Blender, or open it on an iPhone.",
  xml: "In Maya, choose Deform > Import Weights on the bound mesh.",
  "ng.json": "Import it with ngSkinTools on the bound mesh.",
  json: "heterskin refine and transfer read it, and so does any script.",
  csv: "heterskin refine and transfer read it, and so does any spreadsheet.",
};

/** What a format does not carry over, in the words of an artist; empty for nothing. */
export function lossSentence(
  { character }: Pick<State, "character">,
  format: SaveFormat,
  withMotions: boolean,
): string {
  const offered = character?.formats.find((each) => each.format === format);
  const lost: Loss[] = (withMotions ? offered?.lostWithMotions : offered?.lost) ?? [];
  const kinds = lost.map(({ what, count }) => {
    const words = LOSS_WORDS.find(([pattern]) => pattern.test(what))?.[1] ?? what;
    return `${words} (${count.toLocaleString("en")})`;
  });
  if (!offered || kinds.length === 0) return "";
  const title = TITLES[offered.format];
  const more = kinds.length - SHOWN_LOSSES;
  const others = more > 0 ? ` and ${more} other ${more === 1 ? "thing" : "things"}` : "";
  const article = offered.format === "fbx" ? "An" : "A";
  return `${article} ${title} does not include: ${kinds.slice(0, SHOWN_LOSSES).join(", ")}${others}. The report lists all.`;
}

/** Losses that are named after parts of a format. */
const LOSS_WORDS: readonly [RegExp, string][] = [
  [/cubic keyframe/i, "the curvature between animation keys"],
  [/CollectionExclusive|DisplayLayer/i, "display layers"],
  [/scale inheritance/i, "unusual ways to pass a scale on"],
];
