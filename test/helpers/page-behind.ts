/// <reference path="../../app/src/ambient.d.ts" />

import { vi } from "vitest";
import type { Actions } from "../../app/src/actions/actions.ts";
import type { Binding, BindOptions } from "../../app/src/bind-calls.ts";
import { createActions } from "../../app/src/create-actions.ts";
import { defaultOptions } from "../../app/src/default-options.ts";
import { createEngine, type Engine } from "../../app/src/engine.ts";
import type { OpenedCharacter, PickedFile } from "../../app/src/file-calls.ts";
import { createStore, type Store } from "../../app/src/store.ts";
import { prepareCharacter } from "../../src/character/prepare-character.ts";
import type { SkinWeights } from "../../src/weights/skin-weights.ts";
import { eventually } from "./eventually.ts";

/** A call that waits for its answer. */
export interface AskedCall {
  worker: StandIn;
  name: string;
  // biome-ignore lint/suspicious/noExplicitAny: each call has a different input.
  input: any;
  answer(result?: unknown): void;
  /** Rejects the call; the error is meant for visitors unless `isFault` is set. */
  refuse(problem: string, isFault?: boolean): void;
}

/** A stub of a worker: the next call starts when the previous one is answered. */
export class StandIn {
  kind: "binder" | "reader";
  isEnded = false;
  /** The character of a bind worker. */
  character: OpenedCharacter["prepared"] | undefined;
  private listeners: { type: string; listener: (event: unknown) => void }[] = [];
  private waiting: AskedCall[] = [];
  private behind: Behind;

  constructor(url: URL, behind: Behind) {
    this.kind = url.pathname.includes("bind-worker") ? "binder" : "reader";
    this.behind = behind;
    behind.workers.push(this);
  }

  addEventListener(type: string, listener: (event: unknown) => void): void {
    this.listeners.push({ type, listener });
  }

  postMessage({ id, name, input }: { id: number; name: string; input: unknown }): void {
    if (this.isEnded) return;
    let isAnswered = false;
    const settle = (answer: object) => {
      if (this.isEnded || isAnswered) return;
      isAnswered = true;
      if (name === "setCharacter") this.character = call.input.prepared;
      this.fire("message", { data: { id, ...answer } });
      this.waiting = this.waiting.filter((other) => other !== call);
      if (name !== "warm") this.next();
    };
    const call: AskedCall = {
      worker: this,
      name,
      input: structuredClone(input),
      answer: (result) => settle({ result }),
      refuse: (problem, isFault = false) => settle({ problem, isInput: !isFault }),
    };
    // It mostly waits for the network, and does not block other calls.
    if (name === "warm") {
      this.behind.begin(call);
      return;
    }
    this.waiting.push(call);
    if (this.waiting.length === 1) this.next();
  }

  terminate(): void {
    this.isEnded = true;
  }

  /** Simulates a crash, for lack of memory or of its script. */
  die(): void {
    this.isEnded = true;
    this.fire("error", { message: "", preventDefault: () => undefined });
  }

  private next(): void {
    const [call] = this.waiting;
    if (call) this.behind.begin(call);
  }

  private fire(type: string, event: unknown): void {
    for (const { type: own, listener } of this.listeners) if (own === type) listener(event);
  }
}

/** The page's workers, controlled by a test. */
export class Behind {
  workers: StandIn[] = [];
  /** Names of calls that wait for the test; others are answered with the next task. */
  held: Set<string> = new Set();
  /** All calls that have started, in order. */
  begun: AskedCall[] = [];
  private open: AskedCall[] = [];

  begin(call: AskedCall): void {
    this.begun.push(call);
    if (this.held.has(call.name)) this.open.push(call);
    else setImmediate(() => answerPlainly(call));
  }

  /** Resolves to the next held call of a name. */
  asked(name: string): Promise<AskedCall> {
    return eventually(() => {
      const at = this.open.findIndex((call) => call.name === name);
      if (at < 0) throw new Error(`asked: there was no call of ${name}.`);
      return this.open.splice(at, 1)[0];
    });
  }

  /** How often a call has started. */
  count(name: string): number {
    return this.begun.filter((call) => call.name === name).length;
  }

  /** The current bind worker. */
  binder(): StandIn {
    return this.workers.filter(({ kind }) => kind === "binder").at(-1)!;
  }
}

/** The page without its interface: store, engine and actions are real, workers are stubs. */
export interface BarePage {
  behind: Behind;
  store: Store;
  engine: Engine;
  actions: Actions;
  alerts: string[];
  notices: string[];
  /** Actions of the buttons in notices, in order. */
  offers: (() => void)[];
  /** Number of alerts at each time they were removed. */
  calmed: number[];
  /** The open question, if any. */
  question(): { text: string; answer(value: string | undefined): void } | undefined;
}

/** Opens a page whose workers are controlled by the test. */
export function openBarePage(): BarePage {
  const behind = new Behind();
  vi.stubGlobal(
    "Worker",
    class {
      constructor(url: URL) {
        // biome-ignore lint/correctness/noConstructorReturn: the test needs access to the stub.
        return new StandIn(url, behind);
      }
    },
  );
  vi.stubGlobal("document", { baseURI: "http://page.test/" });
  vi.stubGlobal("location", { host: "page.test" });
  vi.stubGlobal("addEventListener", () => undefined);
  const store = createStore({ ...defaultOptions(), provider: "auto" });
  const engine = createEngine(store.state);
  const [alerts, notices]: string[][] = [[], []];
  const offers: (() => void)[] = [];
  const calmed: number[] = [];
  let standing: { text: string; answer(value: string | undefined): void } | undefined;
  const cancelQuestion = () => standing?.answer(undefined);
  const actions = createActions(store, engine, {
    alert: (sentence) => alerts.push(sentence),
    notice: (sentence, offer) => {
      notices.push(sentence);
      if (offer) offers.push(offer.act);
      return () => {
        const at = notices.lastIndexOf(sentence);
        if (at >= 0) notices.splice(at, 1);
      };
    },
    ask: (text) =>
      new Promise((resolve) => {
        cancelQuestion();
        const answer = (value: string | undefined) => {
          standing = undefined;
          resolve(value);
        };
        standing = { text, answer };
      }),
    cancelQuestion,
    moves: () => undefined,
    clearError: () => calmed.push(alerts.length),
  });
  return {
    behind,
    store,
    engine,
    actions,
    alerts,
    notices,
    offers,
    calmed,
    question: () => standing,
  };
}

/** Lets everything happen that needs no answer of the test. */
export async function settled(): Promise<void> {
  for (let i = 0; i < 20; i++) await new Promise((done) => setImmediate(done));
}

/** A file with only a name; {@link opened} defines its content. */
export function named(name: string): PickedFile {
  return { name, content: new Blob([name]) };
}

/** Joints of the characters by the first letter of the file; meshes without a skeleton receive a template. */
const JOINTS: Record<string, number> = { a: 5, b: 2 };

/** A character of four vertices as read from a file: `a…` and `b…` are skinned, others are meshes. */
export function opened(file: string, template = "biped"): OpenedCharacter {
  const isMesh = !Object.hasOwn(JOINTS, file[0]);
  const joints = isMesh ? template.length : JOINTS[file[0]];
  const mesh = {
    positions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1),
    triangles: Uint32Array.of(0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3),
  };
  const skeleton = {
    names: Array.from({ length: joints }, (_, joint) => `${isMesh ? template : file}${joint}`),
    parents: Int32Array.from({ length: joints }, (_, joint) => joint - 1),
    positions: Float32Array.from({ length: joints * 3 }, (_, i) => 0.1 * Math.floor(i / 3)),
  };
  const character = { name: file, mesh, skeleton, ...(!isMesh && { weights: someWeights(0) }) };
  return {
    name: file,
    format: "glb",
    vertices: 4,
    triangles: 4,
    formats: [{ format: "glb" as const, lost: [], lostWithMotions: [] }],
    prepared: prepareCharacter(character),
    look: { images: [], materials: [], groups: [], attachments: [] } as never,
    clips: { clips: [] } as never,
    oddities: [],
    ...(isMesh && { template }),
  };
}

/** All weight of four vertices on one joint. */
export function someWeights(joint: number): SkinWeights {
  return {
    influences: 1,
    joints: new Uint16Array(4).fill(joint),
    weights: new Float32Array(4).fill(1),
  };
}

/** Result of a bind. */
export function binding(joint = 1): Binding {
  return {
    weights: someWeights(joint),
    timings: { network: 1 },
    warnings: [],
    provider: "wasm" as const,
    threads: 1,
    isReused: false,
    isRemote: false,
  };
}

/** Result of a lesson. */
export function lesson(name: string): { model: Uint8Array; notes: object } {
  return { model: new Uint8Array(8), notes: { examples: [{ name, before: 1, after: 0.5 }] } };
}

function answerPlainly(call: AskedCall): void {
  const { worker, name, input, answer, refuse } = call;
  const answers: Record<string, () => void> = {
    warm: () => answer("wasm"),
    setStyle: () => answer(),
    setCharacter: () => answer(),
    bind: () => answer(binding((input as BindOptions).maxInfluences % 2)),
    teach: () => answer(lesson(input.example.name)),
    review: () =>
      answer({
        vertices: new Uint8Array(4),
        bones: [],
        score: 0,
        poses: { poses: [], findings: [] },
      }),
    compare() {
      if (worker.character?.character.weights) answer({ errors: new Float32Array(4), score: {} });
      else refuse("This file had no weights to compare with.");
    },
    refine: () => answer({ weights: someWeights(0), changed: 1 }),
    fix: () => answer({ weights: someWeights(0), fixed: 1 }),
    field() {
      const { names } = worker.character!.character.skeleton;
      if (input.joint < names.length) answer(new Float32Array(4).fill(input.joint));
      else refuse("there is no such joint.", true);
    },
    open: () => answer(opened(input.files[0].name)),
    fit: () => answer(opened("mesh.obj", input.template)),
    takeSkeleton: () => answer({ ...opened("mesh.obj", "taken"), template: undefined }),
    setSkeleton() {
      const template = input.skeleton.names[0].replace(/\d/g, "");
      answer({ ...opened("mesh.obj", template), template: undefined });
    },
    facts: () => answer({ isSymmetric: false }),
    validate: () => answer({ errors: 0 }),
    write: () => answer({ name: "a.glb", bytes: new Uint8Array(3) }),
    pack: () => answer(new Uint8Array(3)),
    readExample: () => answer({ name: input.files[0].name }),
    transfer: () => answer({ weights: someWeights(0), from: input.files[0].name }),
  };
  answers[name]();
}
