import type { AdaptNotes } from "../../../src/adapt/index.ts";
import { SKIN_DEFAULTS } from "../../../src/index.ts";
import type { BindOptions } from "../bind-calls.ts";
import {
  bindName,
  chooseBind,
  currentBind,
  keepBind,
  METHOD_TITLES,
  NAIVE,
  optionsText,
  otherBind,
} from "../binds.ts";
import { bindStep } from "../command-line.ts";
import type { KeptBind } from "../kept-bind.ts";
import { keepStyle, keptStyle } from "../learned-style.ts";
import type { Where } from "../service.ts";
import { duration } from "../ui/words.ts";
import { whereOf } from "../where-of.ts";
import type { Actions, Context } from "./actions.ts";

type BindActions = Pick<
  Actions,
  | "bind"
  | "teach"
  | "forget"
  | "recall"
  | "learnedModel"
  | "refine"
  | "fix"
  | "transfer"
  | "addNaive"
  | "choose"
  | "compareWith"
  | "removeBind"
>;

/** Creates the actions that compute weights and those that choose among them. */
export function createBindActions(context: Context, review: () => Promise<void>): BindActions {
  const { store, engine, tell, notice, clearError, busy, stop, history } = context;
  const { state } = store;

  /** Whether the last task failed; its alert disappears when a later task succeeds. */
  let hasFailed = false;

  /**
   * Runs a task in the bind worker and reports progress. Resolves to undefined if the task was cancelled or
   * failed, or if another character has been opened.
   */
  async function work<T>(
    stage: string,
    task: (report: (stage: string, fraction: number) => void) => Promise<T>,
  ): Promise<T | undefined> {
    stop();
    const turn = ++context.turn;
    const { character } = state;
    busy(stage);
    try {
      const result = await task(
        (stage, fraction) => turn === context.turn && busy(stage, fraction),
      );
      if (turn !== context.turn) return undefined;
      busy();
      if (hasFailed) clearError();
      hasFailed = false;
      return state.character === character ? result : undefined;
    } catch (error) {
      // A cancelled task may still fail; no caller waits for it.
      if (turn !== context.turn) return undefined;
      busy();
      hasFailed = true;
      tell(error);
      return undefined;
    }
  }

  /** Shows new weights next to the previous ones. */
  async function present(bind: ReturnType<typeof keepBind>) {
    const before = currentBind(state);
    chooseBind(state, bind.id);
    const file = state.binds.find(({ origin }) => origin === "file");
    if (!otherBind(state) && file) state.other = file.id;
    store.changed("binds", "weights", "look");
    if (before?.isPainted) {
      const act = () => choose(before.id);
      notice("Your painted weights are kept in the list.", { text: "Show them", act });
    }
    await review();
  }

  /** Shows weights derived from others, as an undoable step. */
  async function presentStep(from: KeptBind | undefined, bind: KeptBind) {
    const presented = present(bind);
    if (!from) return presented;
    history.record({ undo: () => choose(from.id), redo: () => choose(bind.id) });
    store.changed("brush");
    await presented;
  }

  function choose(id: number) {
    if (!state.binds.some((bind) => bind.id === id)) return;
    chooseBind(state, id);
    store.changed("binds", "weights", "look");
    void review();
  }

  function learn(notes: AdaptNotes | undefined) {
    state.learned = notes;
    const name = notes?.examples[0]?.name.replace(/\.\w+$/, "") ?? "your character";
    state.learnedFrom = notes ? name : "";
    store.changed("options");
  }

  async function bind() {
    const { character, learnedFrom } = state;
    if (!character) return;
    const options: BindOptions = { ...state.options };
    const isLearned = learnedFrom !== "" && options.method === SKIN_DEFAULTS.method;
    const isRemote = isLearned ? false : await goesToServer(context);
    if (isRemote === undefined || state.character !== character) return;
    const method = METHOD_TITLES[options.method] ?? options.method;
    const adapted = isLearned ? `${method}, adapted to ${learnedFrom}` : method;
    const title = isRemote ? `${method}, on the server` : adapted;
    const by = isRemote ? engine.bindRemotely : engine.bind;
    const result = await work("prepare", (report) => by(options, report));
    if (!result) return;
    const milliseconds = workingTime(result.timings);
    // A repeated bind replaces the previous entry and keeps its id, so that undo steps still find it.
    const same = state.binds.find(
      (kept) =>
        kept.origin === "method" &&
        kept.title === title &&
        !kept.isPainted &&
        JSON.stringify(kept.options) === JSON.stringify(options),
    );
    state.binds = state.binds.filter((kept) => kept !== same);
    const kept = keepBind(state, {
      origin: "method",
      title,
      detail: `${optionsText(options)}; ${duration(milliseconds)}`,
      weights: result.weights,
      steps: [bindStep(state, options, isLearned ? (state.learnedFile ?? learnedFrom) : undefined)],
      options,
      result,
      milliseconds,
    });
    if (same) kept.id = same.id;
    await present(kept);
  }

  return {
    bind,
    async addNaive() {
      const options: BindOptions = { ...state.options, method: "euclid", maxInfluences: 1 };
      const result = await work("prepare", (report) => engine.bind(options, report));
      if (!result) return;
      const kept = keepBind(state, {
        origin: "method",
        title: NAIVE,
        detail: "each vertex follows one bone",
        weights: result.weights,
        steps: [bindStep(state, options)],
        options,
        result,
        milliseconds: workingTime(result.timings),
      });
      if (currentBind(state)) state.other = kept.id;
      else chooseBind(state, kept.id);
      store.changed("binds", "weights");
    },
    async teach(files) {
      const notes = await work("examples", (report) => engine.teach(files, report));
      if (!notes) return;
      learn(notes);
      state.learnedFile = files[0]?.name;
      const model = engine.learned();
      if (model) void keepStyle({ model, notes, file: state.learnedFile ?? "" });
      await bind();
    },
    async recall() {
      const kept = await keptStyle();
      // A style learned in the meantime is newer.
      if (!kept || state.learned) return;
      engine.adopt(kept.model);
      state.learnedFile = kept.file;
      learn(kept.notes);
    },
    learnedModel: () => engine.learned(),
    async forget() {
      // Also cancels a lesson in progress.
      stop();
      engine.forget();
      void keepStyle(undefined);
      learn(undefined);
      await bind();
    },
    async refine() {
      const from = currentBind(state);
      if (!from) return;
      // The name at the start: the result does not include later paint.
      const name = bindName(from);
      const refined = await work("distances", () => engine.refine(from.weights));
      if (!refined) return;
      const count = refined.changed.toLocaleString("en");
      await presentStep(
        from,
        keepBind(state, {
          origin: "cleaned",
          title: `${name}, cleaned`,
          detail: `${count} ${refined.changed === 1 ? "vertex" : "vertices"} no longer follow distant joints`,
          weights: refined.weights,
          steps: [...from.steps, { verb: "refine", options: {} }],
        }),
      );
    },
    async fix(findings) {
      const from = currentBind(state);
      const check = state.doubts?.poses;
      if (!from || !check) return;
      const name = bindName(from);
      const fixed = await work("doubts", () => engine.fix(from.weights, check, findings));
      if (!fixed) return;
      if (fixed.fixed === 0) {
        notice("No remedy improves the weights.");
        return;
      }
      const all = findings.length === check.findings.length;
      const step = all ? { all: true } : { finding: findings.map((index) => index + 1).join() };
      await presentStep(
        from,
        keepBind(state, {
          origin: "cleaned",
          title: `${name}, fixed`,
          detail: `${fixed.fixed === 1 ? "1 fault" : `${fixed.fixed} faults`} fixed`,
          weights: fixed.weights,
          steps: [...from.steps, { verb: "fix", options: step }],
        }),
      );
    },
    async transfer(files) {
      const before = currentBind(state);
      const given = await work("transfer", () => engine.file().call("transfer", { files }));
      if (!given) return;
      const { weights, from } = given;
      await presentStep(
        before,
        keepBind(state, {
          origin: "transferred",
          weights,
          steps: [{ verb: "transfer", from: files[0]?.name ?? from, options: {} }],
          title: `From ${from}`,
          detail: "copied from the nearest surface",
        }),
      );
    },
    choose,
    compareWith(id) {
      if (id === state.current) chooseBind(state, state.other);
      state.other = id;
      if (state.arrangement === "one") state.arrangement = "wipe";
      store.changed("binds", "weights", "look");
    },
    removeBind(id) {
      if (state.binds.length < 2) return;
      const at = state.binds.findIndex((bind) => bind.id === id);
      const removed = state.binds[at];
      if (!removed) return;
      const { current, other, character } = state;
      let dismiss = () => {};
      const undo = () => {
        dismiss();
        if (state.character !== character || state.binds.includes(removed)) return;
        state.binds.splice(at, 0, removed);
        if (current === id) chooseBind(state, id);
        if (other === id) state.other = id;
        store.changed("binds", "weights", "look");
        void review();
      };
      const redo = () => {
        state.binds = state.binds.filter((bind) => bind !== removed);
        if (state.current === id) chooseBind(state, state.binds.at(-1)!.id);
        if (state.other === id || state.other === state.current) {
          state.other = state.binds.find((bind) => bind.id !== state.current)?.id ?? -1;
        }
        store.changed("binds", "weights", "look", "brush");
        void review();
      };
      history.record({ undo, redo });
      dismiss = notice(`${bindName(removed)} was removed.`, { text: "Undo", act: undo });
      redo();
    },
  };
}

/**
 * Whether to bind the open character on the server. Asks first if the visitor has not chosen; undefined if
 * the question was cancelled.
 */
async function goesToServer({ store, ask }: Context): Promise<boolean | undefined> {
  const { state } = store;
  if (whereOf(state) === "browser") return false;
  if (state.where === "server") return true;
  const vertices = state.character?.vertices.toLocaleString("en");
  const answer = await ask(
    `${state.source.file} has ${vertices} vertices, a lot for a browser. Send its mesh, skeleton and weights to ${location.host}? The server deletes them after the bind.`,
    [
      { value: "server", text: "Bind on the server" },
      { value: "browser", text: "Bind in this browser" },
    ],
  );
  if (answer === undefined) return undefined;
  state.where = answer as Where;
  store.changed("options");
  return state.where === "server";
}

/** Sum of all stages in milliseconds, without the download of the network. */
function workingTime({ download: _, ...stages }: Record<string, number>): number {
  return Object.values(stages).reduce((sum, ms) => sum + ms, 0);
}
