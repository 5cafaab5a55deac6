import { InputError } from "../../../src/index.ts";
import { type Convention, nameJoints } from "../../../src/parts.ts";
import { keepFileWeights } from "../binds.ts";
import { VisitorError, type WorkerClient } from "../call-worker.ts";
import type { FileCalls, OpenedCharacter } from "../file-calls.ts";
import { ownMotions } from "../motions.ts";
import { restRotations } from "../pose-matrices.ts";
import { type Fitting, newFitting } from "../store.ts";
import type { Actions, Context } from "./actions.ts";

/** Creates the actions that place a skeleton in a mesh. */
export function createFitActions(
  { store, engine, tell, notice, stop, history }: Context,
  bind: () => Promise<void>,
  playMotion: () => void,
): Pick<Actions, "fit" | "takeSkeleton" | "acceptSkeleton" | "adjustSkeleton"> & {
  offerAlignment(): void;
  /** Plays the animations that came with the skeleton of another file, once there are weights. */
  moveOnceBound(): void;
} {
  const { state } = store;

  /** The running task on the skeleton; the next task waits for it. */
  let last: { file: WorkerClient<FileCalls>; done: Promise<boolean> } | undefined;

  /** Whether a skeleton that was just accepted waits for its weights before its animations play. */
  let isAwaited = false;
  store.on(["character"], () => {
    isAwaited = false;
  });
  store.on(["weights"], () => {
    if (!isAwaited || state.binds.length === 0) return;
    isAwaited = false;
    playMotion();
  });

  const place = (isPlacing: boolean) => {
    state.isPlacing = isPlacing;
    // An undo now would apply to the skeleton that is about to be replaced.
    history.hold(isPlacing);
    store.changed("busy");
  };

  /** Shows the open mesh with another skeleton and discards all weights. `fitting`: joints are being placed. */
  function applySkeleton(
    task: (file: WorkerClient<FileCalls>) => Promise<OpenedCharacter>,
    fitting: (character: OpenedCharacter) => Fitting | undefined,
  ): Promise<boolean> {
    const file = engine.file();
    const before = last?.file === file ? last.done : Promise.resolve();
    const done = before.then(() => applyNow(file, task, fitting));
    last = { file, done };
    place(true);
    return done.finally(() => last?.done === done && place(false));
  }

  async function applyNow(
    file: WorkerClient<FileCalls>,
    task: (file: WorkerClient<FileCalls>) => Promise<OpenedCharacter>,
    fitting: (character: OpenedCharacter) => Fitting | undefined,
  ): Promise<boolean> {
    try {
      const character = await task(file);
      if (engine.file() !== file) return false;
      // Not earlier: if the skeleton cannot be read, a running bind continues.
      stop();
      const { skeleton, weights } = character.prepared.character;
      const before = state.fitting ?? state.fitted;
      Object.assign(state, {
        character,
        binds: [],
        current: -1,
        other: -1,
        marked: [],
        locked: new Set(),
        hidden: new Set(),
        solo: undefined,
        doubts: undefined,
        comparison: undefined,
        validity: undefined,
        facts: undefined,
        field: undefined,
        joint: Math.min(state.joint, skeleton.names.length - 1),
        rotations: restRotations(skeleton.names.length),
        clip: { ...state.clip, index: -1, isPlaying: false },
        fitting: fitting(character),
      });
      state.motions = state.fitting ? undefined : ownMotions(character.prepared.character);
      state.fitted = state.fitting ? undefined : (before ?? newFitting(character.template));
      if (!state.fitting) keepFileWeights(state, weights);
      store.changed("character", "fitting", "binds", "weights", "doubts", "comparison");
      store.changed("joint", "look", "pose", "brush");
      return true;
    } catch (error) {
      tell(error);
      return false;
    }
  }

  /** Returns a function that restores the current joints. */
  function restoring(): () => void {
    const { fitting, character } = state;
    if (!fitting || !character) return () => undefined;
    const { skeleton } = character.prepared.character;
    const kept = { ...skeleton, positions: skeleton.positions.slice() };
    return () =>
      void applySkeleton(
        (file) => file.call("setSkeleton", { skeleton: kept }),
        () => ({ ...fitting, settling: undefined }),
      );
  }

  /** Runs a task that changes the joints being placed, as an undoable step. */
  async function replace(
    task: (file: WorkerClient<FileCalls>) => Promise<OpenedCharacter>,
    fitting: (character: OpenedCharacter) => Fitting | undefined,
  ): Promise<boolean> {
    const undo = state.fitting ? restoring() : undefined;
    if (!undo) history.clear();
    if (!(await applySkeleton(task, fitting))) return false;
    if (undo) history.record({ undo, redo: restoring() });
    store.changed("brush");
    return true;
  }

  function offerAlignment() {
    const { misfit } = state.character ?? {};
    if (!misfit) return;
    const inside = `${Math.round(misfit.before * 100)} % of its joints are in the body`;
    const drag = "Drag its joints into place";
    if (misfit.changes.length === 0) {
      notice(`The skeleton does not fit this mesh: only ${inside}. ${drag}.`);
      return;
    }
    const done = misfit.changes.join(", ").replace(/, (\w+)$/, " and $1");
    const then = `${Math.round(misfit.after * 100)} %`;
    notice(
      `The skeleton does not fit this mesh: only ${inside}. ${done[0].toUpperCase()}${done.slice(1)}, ${then} would be. ${drag}, or:`,
      {
        text: "Align it",
        act: () => void align(),
      },
    );
  }

  async function align() {
    const fitting = state.fitting ?? newFitting();
    const done = await replace(
      (file) => file.call("align", undefined as never),
      () => fitting,
    );
    if (done) state.source = { ...state.source, isAligned: true };
  }

  /** Names the joints by a convention; throws if the body does not suit it. */
  function named(names: Convention): OpenedCharacter["prepared"]["character"]["skeleton"] {
    const { skeleton } = state.character!.prepared.character;
    try {
      return nameJoints(skeleton, names);
    } catch (error) {
      throw error instanceof InputError ? new VisitorError(error.message) : error;
    }
  }

  async function accept(): Promise<void> {
    if (!state.character || !state.fitting) return;
    let template = "";
    const { names, fingers, hasChains } = state.fitting;
    const done = await applySkeleton(
      async (file) => {
        // Read once the chosen template is in place and dragged joints have settled.
        await state.fitting?.settling;
        template = state.fitting?.template ?? "";
        const convention = template === "biped" ? state.fitting!.names : "own";
        const wantsVrm = convention === "vrm";
        return file.call("setSkeleton", { skeleton: named(convention), wantsVrm });
      },
      () => undefined,
    );
    if (!done) return;
    const skeleton = template ? `template:${template}` : state.source.skeleton;
    const isAligned = !template && state.source.isAligned === true;
    state.source = { ...state.source, skeleton, isAligned };
    state.rigging = { hasChains, ...(template === "biped" && { names, fingers }) };
    isAwaited = true;
    await bind();
  }

  async function adjust(): Promise<void> {
    const { fitted } = state;
    if (!state.character || !fitted) return;
    const { skeleton } = state.character.prepared.character;
    await applySkeleton(
      (file) => file.call("setSkeleton", { skeleton }),
      () => ({ ...fitted, settling: undefined }),
    );
  }

  const moveOnceBound = () => {
    isAwaited = Boolean(state.source.skeleton && state.character?.clips.clips.length);
  };

  return {
    offerAlignment,
    moveOnceBound,
    async fit(template, given) {
      const { fingers, hasChains } = { ...(state.fitting ?? newFitting()), ...given };
      await replace(
        (file) => file.call("fit", { template, fingers, hasChains }),
        (character) => ({
          ...(state.fitting ?? newFitting()),
          template: character.template ?? "",
          fingers,
          hasChains,
        }),
      );
    },
    async takeSkeleton(skeleton) {
      const done = await replace(
        (file) => file.call("takeSkeleton", { skeleton }),
        ({ misfit }) => misfit && newFitting(),
      );
      if (!done) return;
      state.source = { ...state.source, skeleton: skeleton.name, isAligned: false };
      offerAlignment();
      if (!state.fitting) {
        state.fitted = newFitting();
        store.changed("fitting");
        moveOnceBound();
        await bind();
      }
    },
    async acceptSkeleton() {
      if (!state.fitting) return;
      const steps = { undo: () => void adjust(), redo: () => void accept() };
      history.record(steps);
      await accept();
    },
    adjustSkeleton: adjust,
  };
}
