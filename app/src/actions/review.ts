import { currentBind } from "../binds.ts";
import { isCancelled } from "../call-worker.ts";
import type { OpenedCharacter } from "../file-calls.ts";
import { copyWeights, rowChanges } from "../paint/row-changes.ts";
import type { Actions, Context } from "./actions.ts";

/** Delay from the last change to the review (ms). */
const PAUSE = 150;

/** Creates the actions that review the weights and save them. */
export function createReviewActions({
  store,
  engine,
  tell,
  notice,
}: Context): Pick<Actions, "review" | "save"> {
  const { state } = store;
  let asked = 0;

  async function review(): Promise<void> {
    const bind = currentBind(state);
    const { character } = state;
    if (!bind || !character || state.fitting) return;
    const turn = ++asked;
    if (state.isUnreviewed) {
      state.isUnreviewed = false;
      store.changed("doubts");
    }
    const isLate = () => turn !== asked || state.character !== character;
    // During a series of strokes only the last one is reviewed.
    await new Promise((done) => setTimeout(done, PAUSE));
    if (isLate()) return;
    try {
      const doubts = await engine.review(bind.weights);
      if (isLate()) return;
      const isOther = bind.origin !== "file" && character.prepared.character.weights;
      const comparison = isOther ? await engine.compare(bind.weights) : undefined;
      if (isLate()) return;
      Object.assign(state, { doubts, comparison, validity: undefined });
      store.changed("doubts", "comparison");
      const validity = await engine.file().call("validate", { weights: bind.weights });
      if (isLate()) return;
      state.validity = validity;
      store.changed("doubts");
    } catch (error) {
      if (isLate()) return;
      // The worker was stopped for another task; these weights still need a review.
      if (isCancelled(error)) return review();
      // A failed review does not affect the weights.
      state.isUnreviewed = true;
      store.changed("doubts");
      if (!state.busy) tell(error);
    }
  }

  /** The joint whose distances are shown or being computed, and its character. */
  let measured: { joint: number; character: OpenedCharacter } | undefined;

  async function measureField(): Promise<void> {
    const { joint, character } = state;
    const isMeasured = measured?.joint === joint && measured.character === character;
    if (isMeasured) return;
    measured = undefined;
    if (state.field) {
      // Distances of the previous joint must not appear under the new joint's name.
      state.field = undefined;
      store.changed("field");
    }
    if (state.look !== "hollow" || !character) return;
    if (state.fitting || state.busy) return;
    const wanted = { joint, character };
    measured = wanted;
    try {
      const field = await engine.field(joint);
      if (measured !== wanted || state.joint !== joint || state.character !== character) return;
      state.field = field;
      store.changed("field");
    } catch (error) {
      if (measured !== wanted) return;
      measured = undefined;
      if (state.character !== character) return;
      if (isCancelled(error)) return measureField();
      tell(error);
    }
  }

  store.on(["joint", "look", "busy"], () => void measureField());
  return {
    review,
    async save(request) {
      const bind = currentBind(state);
      if (!bind) return undefined;
      const { character } = state;
      const file = engine.file();
      const before = copyWeights(bind.weights);
      /** Whether the file received another skeleton before it was written. */
      const isOutdated = () => engine.file() === file && state.character !== character;
      const explain = () =>
        notice("The skeleton has changed in the meantime, so nothing was saved.");
      try {
        const saved = await engine.save(bind.weights, request);
        if (isOutdated()) {
          explain();
          return undefined;
        }
        // Strokes painted during the save are not in the file.
        bind.isSaved = rowChanges(before, bind.weights) === undefined;
        return saved;
      } catch (error) {
        if (isOutdated()) explain();
        else tell(error);
        return undefined;
      }
    },
  };
}
