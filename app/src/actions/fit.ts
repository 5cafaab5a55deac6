import { InputError } from "../../../src/index.ts";
import { type Convention, nameJoints } from "../../../src/parts.ts";
import { keepFileWeights } from "../binds.ts";
import { VisitorError, type WorkerClient } from "../call-worker.ts";
import type { FileCalls, OpenedCharacter } from "../file-calls.ts";
import { ownMotions } from "../motions.ts";
import { restRotations } from "../pose-matrices.ts";
import { type Fitting, newFitting } from "../store.ts";
import type { Actions, Context } from "./actions.ts";

/** Actions that give a mesh its skeleton. */
export function createFitActions(
  { store, engine, tell, notice, stop, history }: Context,
  bind: () => Promise<void>,
  moves: () => void,
): Pick<Actions, "fit" | "takeSkeleton" | "acceptSkeleton" | "adjustSkeleton"> & {
  offerAlignment(): void;
  /** Plays the animations that came with the skeleton of another file, once there are weights. */
  moveOnceBound(): void;
} {
  const { state } = store;

  /** What is being done with the skeleton of a file; the next thing waits for it. */
  let last: { file: WorkerClient<FileCalls>; done: Promise<boolean> } | undefined;

  /** Whether a skeleton that was just accepted waits for its weights, to move as soon as it has them. */
  let isAwaited = false;
  store.on(["character"], () => {
    isAwaited = false;
  });
  store.on(["weights"], () => {
    if (!isAwaited || state.binds.length === 0) return;
    isAwaited = false;
    moves();
  });

  const place = (isPlacing: boolean) => {
    state.isPlacing = isPlacing;
    // What is undone meanwhile would be of the skeleton that goes.
    history.hold(isPlacing);
    store.changed("busy");
  };

  /** Shows the open mesh with another skeleton; no weights fit it any more. `fitting`: joints are placed. */
  function give(
    task: (file: WorkerClient<FileCalls>) => Promise<OpenedCharacter>,
    fitting: (character: OpenedCharacter) => Fitting | undefined,
  ): Promise<boolean> {
    const file = engine.file();
    const before = last?.file === file ? last.done : Promise.resolve();
    const done = before.then(() => giveNow(file, task, fitting));
    last = { file, done };
    place(true);
    return done.finally(() => last?.done === done && place(false));
  }

  async function giveNow(
    file: WorkerClient<FileCalls>,
    task: (file: WorkerClient<FileCalls>) => Promise<OpenedCharacter>,
    fitting: (character: OpenedCharacter) => Fitting | undefined,
  ): Promise<boolean> {
    try {
      const character = await task(file);
      if (engine.file() !== file) return false;
      // Only now: a skeleton that cannot be read leaves a bind alone.
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

  /** The joints as they are now, to be put back: a later step may have given others. */
  function restoring(): () => void {
    const { fitting, character } = state;
    if (!fitting || !character) return () => undefined;
    const { skeleton } = character.prepared.character;
    const kept = { ...skeleton, positions: skeleton.positions.slice() };
    return () =>
      void give(
        (file) => file.call("setSkeleton", { skeleton: kept }),
        () => ({ ...fitting, settling: undefined }),
      );
  }

  /** Does what gives other joints to be placed, as a step that can be undone. */
  async function replace(
    task: (file: WorkerClient<FileCalls>) => Promise<OpenedCharacter>,
    fitting: (character: OpenedCharacter) => Fitting | undefined,
  ): Promise<boolean> {
    const undo = state.fitting ? restoring() : undefined;
    if (!undo) history.clear();
    if (!(await give(task, fitting))) return false;
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

  /** The joints under the names of a convention; a sentence where the body is none for it. */
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
    const done = await give(
      async (file) => {
        // As it is once a template that was chosen before is in, and joints that were let go of are there.
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
    await give(
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
