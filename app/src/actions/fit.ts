import { keepFileWeights } from "../binds.ts";
import type { WorkerClient } from "../call-worker.ts";
import type { FileCalls, OpenedCharacter } from "../file-calls.ts";
import { restRotations } from "../pose-matrices.ts";
import type { Actions, Context } from "./actions.ts";

/** Actions that give a mesh its skeleton. */
export function createFitActions(
  { store, engine, tell, notice, stop, history }: Context,
  bind: () => Promise<void>,
): Pick<Actions, "fit" | "takeSkeleton" | "acceptSkeleton"> & { offerAlignment(): void } {
  const { state } = store;

  /** What is being done with the skeleton of a file; the next thing waits for it. */
  let last: { file: WorkerClient<FileCalls>; done: Promise<boolean> } | undefined;

  const place = (isPlacing: boolean) => {
    state.isPlacing = isPlacing;
    store.changed("busy");
  };

  /** Shows the open mesh with another skeleton; no weights fit it any more. */
  function give(
    task: (file: WorkerClient<FileCalls>) => Promise<OpenedCharacter>,
    isFinal: boolean,
  ): Promise<boolean> {
    const file = engine.file();
    const before = last?.file === file ? last.done : Promise.resolve();
    const done = before.then(() => giveNow(file, task, isFinal));
    last = { file, done };
    place(true);
    return done.finally(() => last?.done === done && place(false));
  }

  async function giveNow(
    file: WorkerClient<FileCalls>,
    task: (file: WorkerClient<FileCalls>) => Promise<OpenedCharacter>,
    isFinal: boolean,
  ): Promise<boolean> {
    try {
      const character = await task(file);
      if (engine.file() !== file) return false;
      // Only now: a skeleton that cannot be read leaves a bind alone.
      stop();
      const { skeleton, weights } = character.prepared.character;
      Object.assign(state, {
        character,
        binds: [],
        current: -1,
        other: -1,
        marked: [],
        locked: new Set(),
        doubts: undefined,
        comparison: undefined,
        validity: undefined,
        facts: undefined,
        field: undefined,
        joint: Math.min(state.joint, skeleton.names.length - 1),
        rotations: restRotations(skeleton.names.length),
      });
      if (!character.template) keepFileWeights(state, weights);
      history.clear();
      const { isMirrored = true, isSnapping = true } = state.fitting ?? {};
      state.fitting = isFinal
        ? undefined
        : { template: character.template ?? "", isMirrored, isSnapping };
      store.changed("character", "fitting", "binds", "weights", "doubts", "comparison");
      store.changed("joint", "look", "pose");
      return true;
    } catch (error) {
      tell(error);
      return false;
    }
  }

  function offerAlignment() {
    const { misfit } = state.character ?? {};
    if (!misfit) return;
    const inside = `${Math.round(misfit.before * 100)} % of its joints are in the body`;
    if (misfit.changes.length === 0) {
      notice(`The skeleton does not fit this mesh: only ${inside}.`);
      return;
    }
    const done = misfit.changes.join(", ").replace(/, (\w+)$/, " and $1");
    const then = `${Math.round(misfit.after * 100)} %`;
    notice(
      `The skeleton does not fit this mesh: only ${inside}. ${done[0].toUpperCase()}${done.slice(1)}, ${then} would be.`,
      {
        text: "Align it",
        act: () => void align(),
      },
    );
  }

  async function align() {
    if (await give((file) => file.call("align", undefined as never), true)) await bind();
  }

  return {
    offerAlignment,
    async fit(template) {
      await give((file) => file.call("fit", { template }), false);
    },
    async takeSkeleton(skeleton) {
      const done = await give((file) => file.call("takeSkeleton", { skeleton }), true);
      if (!done) return;
      state.source = { ...state.source, skeleton: skeleton.name };
      offerAlignment();
      await bind();
    },
    async acceptSkeleton() {
      if (!state.character) return;
      let template: string | undefined;
      const done = await give(async (file) => {
        // As it is once a template that was chosen before is in, and joints that were let go of are there.
        await state.fitting?.settling;
        template = state.fitting?.template;
        const { skeleton } = state.character!.prepared.character;
        return file.call("setSkeleton", { skeleton });
      }, true);
      if (!done) return;
      state.source = { ...state.source, skeleton: template ? `template:${template}` : undefined };
      await bind();
    },
  };
}
