import { galleryEntry } from "./gallery.ts";
import { sparsePose, withPose } from "./pose-text.ts";
import {
  type Arrangement,
  type Look,
  OWN_MOTION,
  STRESS_MOTION,
  type State,
  type Store,
} from "./store.ts";

/** Delay from the last change to the update of the address (ms). */
const PAUSE = 250;

/** The camera as six numbers: position and target. */
export interface SharedCamera {
  get(): number[] | undefined;
  set(numbers: readonly number[]): void;
  onTurned(listener: () => void): void;
}

/** The sample that is open; empty for a visitor's own file, which a link cannot open. */
function sampleOf({ character, source }: State): string | undefined {
  const name = source.file.replace(/\.glb$/, "");
  const isSample = character?.name === name && galleryEntry(name);
  return isSample && !source.isOwn ? name : undefined;
}

/** The state as query parameters, except the sample; only what differs from the default. */
export function addressOf(state: State, camera?: readonly number[]): URLSearchParams {
  const query = new URLSearchParams();
  const name = sampleOf(state);
  const { character, look, joint, arrangement, cut, clip, rotations, up } = state;
  if (!name || !character) return query;
  query.set("open", name);
  const { names } = character.prepared.character.skeleton;
  query.set("look", look);
  if (names[joint]) query.set("joint", names[joint]);
  if (arrangement !== "one") query.set("view", arrangement);
  if (arrangement === "wipe") query.set("cut", cut.toFixed(2));
  if (!state.hasSkeleton) query.set("bones", "no");
  if (up !== "y") query.set("up", up);
  if (clip.index !== -1) query.set("motion", motionName(state));
  else {
    const pose = sparsePose(rotations);
    if (pose) query.set("pose", pose);
  }
  if (camera) query.set("camera", camera.map((value) => value.toFixed(2)).join("_"));
  return query;
}

function motionName({ character, clip, motions }: State): string {
  if (clip.index === STRESS_MOTION) return "joints";
  if (clip.index <= OWN_MOTION) return `made-${motions?.names[OWN_MOTION - clip.index]}`;
  return character?.clips.clips[clip.index]?.name ?? "";
}

function motionNumber({ character, motions }: State, name: string): number {
  if (name === "joints") return STRESS_MOTION;
  if (name.startsWith("made-")) {
    const at = motions?.names.indexOf(name.slice(5) as never) ?? -1;
    return at < 0 ? -1 : OWN_MOTION - at;
  }
  return character?.clips.clips.findIndex((clip) => clip.name === name) ?? -1;
}

const LOOKS: readonly Look[] = ["plain", "heat", "dominant", "hollow", "error"];

/** Applies the query to the state as far as the character allows. Returns the number of its motion, -1 for none. */
export function applyAddress(state: State, query: URLSearchParams): number {
  const { character } = state;
  if (!character) return -1;
  const { names } = character.prepared.character.skeleton;
  const look = LOOKS.find((known) => known === query.get("look"));
  if (look) state.look = look;
  const joint = names.indexOf(query.get("joint") ?? "");
  if (joint >= 0) state.joint = joint;
  const view = query.get("view");
  if (view === "side" || view === "wipe") state.arrangement = view satisfies Arrangement;
  const cut = Number(query.get("cut"));
  if (cut > 0 && cut < 1) state.cut = cut;
  if (query.has("look")) state.hasSkeleton = query.get("bones") !== "no";
  const up = query.get("up");
  if (up && /^-?[xyz]$/.test(up)) state.up = up as State["up"];
  withPose(state.rotations, query.get("pose") ?? "");
  return query.has("motion") ? motionNumber(state, query.get("motion") ?? "") : -1;
}

/** Keeps the address in step with the view, so that a copied link shows it; Back opens the previous sample. */
export function connectAddress(
  store: Store,
  openSample: (name: string) => void,
  camera: SharedCamera | undefined,
): void {
  const { state } = store;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let shown = new URLSearchParams(location.search).get("open") ?? "";
  /** The character that Back replaces: until the next one is open, the address already names that one. */
  let replaced: State["character"];
  const write = () => {
    timer = undefined;
    if (replaced && replaced === state.character) return;
    replaced = undefined;
    if (!state.character || document.body.classList.contains("intro")) return;
    const query = addressOf(state, camera?.get());
    const method = new URLSearchParams(location.search).get("method");
    if (method) query.set("method", method);
    const open = query.get("open") ?? "";
    if (!open) query.set("open", "nothing");
    const address = `${location.pathname}?${query}`;
    // Only opening another sample adds an entry to the history.
    if (open && open !== shown) history.pushState(null, "", address);
    else history.replaceState(null, "", address);
    shown = open;
  };
  const soon = () => {
    // Browsers reject an address that changes with every frame.
    clearTimeout(timer);
    timer = setTimeout(write, PAUSE);
  };
  store.on(["character", "binds", "look", "joint", "pose", "up"], () => {
    if (!state.clip.isPlaying || !timer) soon();
  });
  camera?.onTurned(soon);
  addEventListener("popstate", () => {
    const wanted = new URLSearchParams(location.search).get("open") ?? "";
    if (wanted === shown || !galleryEntry(wanted)) return;
    shown = wanted;
    replaced = state.character;
    openSample(wanted);
  });
}
