import { createPace } from "../pace.ts";
import type { State, Store } from "../store.ts";
import { find, make } from "./dom.ts";

const STAGES: Record<string, string> = {
  download: "Fetching the network",
  prepare: "Preparing",
  solve: "Preparing",
  distances: "Measuring distances through the body",
  network: "Running the network",
  heat: "Spreading heat",
  finish: "Finishing",
  simplify: "Simplifying the mesh",
  transfer: "Transferring the weights",
  examples: "Reading the example",
  learn: "Learning",
  pack: "Packing the character",
  send: "Sending the character",
  waiting: "Waiting in the queue",
  running: "Beginning",
  read: "Reading",
  doubts: "Reviewing the weights",
  write: "Writing",
  fetch: "Fetching the weights",
};

/** Creates the line at the bottom: the open file, the running task, and the state of the network. */
export function createStatusBar(store: Store): void {
  const { state } = store;
  const open = make("span", { id: "open-name" }, "Nothing is open.");
  const notes = make("span", { id: "notes" });
  const stage = make("span", { id: "stage-name", role: "status" });
  const bar = make("progress", { max: 1, "aria-label": "Progress" });
  const runtime = make("span", { id: "runtime" });
  find("status").append(open, notes, stage, bar, runtime);
  store.on(["character", "fitting", "dress"], () => {
    const { character, source } = state;
    if (!character) return;
    const joints = character.prepared.character.skeleton.names.length;
    const vertices = character.vertices.toLocaleString("en");
    open.textContent = `${source.file}: ${vertices} vertices, ${joints} joints`;
    open.title = character.oddities.join(" ");
    const [first, ...others] = character.oddities;
    const more = others.length > 0 ? ` (and ${others.length} more)` : "";
    notes.textContent = first === undefined ? "" : `Note: ${first}${more}`;
    notes.title = open.title;
  });
  const pace = createPace();
  /** When the network started, and the number of vertices. */
  let asked: { began: number; vertices: number } | undefined;
  let timer: ReturnType<typeof setInterval> | undefined;
  /** Estimates the progress of the network, which reports none, from the duration of earlier binds. */
  const followNetwork = () => {
    const isAsked = state.busy?.stage === "network" && state.busy.fraction === 0;
    if (isAsked && !asked) {
      asked = { began: performance.now(), vertices: state.character?.vertices ?? 0 };
      timer = setInterval(update, 200);
    } else if (!isAsked && asked) {
      const { began, vertices } = asked;
      if (state.busy) pace.learn(vertices, performance.now() - began);
      clearInterval(timer);
      asked = undefined;
    }
    if (!asked) return undefined;
    const expected = pace.expected(asked.vertices);
    const passed = performance.now() - asked.began;
    // The bar slows down towards the end, since the duration is an estimate.
    return {
      fraction: 0.97 * (1 - Math.exp((-1.6 * passed) / expected)),
      left: Math.max(1, Math.round((expected - passed) / 1000)),
    };
  };
  const update = () => {
    const { busy, reading, isPlacing } = state;
    const network = followNetwork();
    const left = network && reading === undefined ? ` about ${network.left} s` : "";
    stage.textContent = `${activity(state)}${left}`;
    bar.hidden = !busy && !isPlacing && reading === undefined;
    if (network && reading === undefined) bar.value = network.fraction;
    else if (busy && busy.fraction > 0 && reading === undefined) bar.value = busy.fraction;
    else bar.removeAttribute("value");
    runtime.textContent = networkText(state);
  };
  store.on(["busy"], update);
  update();
}

/** State of the page in one sentence, so that no two messages contradict each other. */
function activity({ busy, reading, isPlacing, source }: State): string {
  const stage = busy && stageText(busy.stage);
  if (reading !== undefined && stage)
    return `Reading ${reading} … (${source.file}: ${stage.toLowerCase()})`;
  if (reading !== undefined) return `Reading ${reading} …`;
  if (stage) return `${stage} …`;
  return isPlacing ? "Placing the skeleton …" : "";
}

/** Text of a stage; mentions the server for stages there. */
function stageText(stage: string): string {
  const name = stage.replace(/^server:/, "");
  const text = STAGES[name] ?? "Working";
  return name === stage ? text : `On the server: ${text[0].toLowerCase()}${text.slice(1)}`;
}

function networkText({ network, isOfflineReady, busy }: State): string {
  if (!network) return "";
  if (network.hasFailed) return "Without the network";
  if (network.isReady) return isOfflineReady ? "Ready offline" : "Network ready";
  if (busy?.stage === "download") return "";
  return network.fraction < 1
    ? `First visit: fetching the network, ${Math.round(network.fraction * 100)} %`
    : "Starting the network";
}
