import type { OutputFormat } from "../../../src/io/index.ts";
import { currentBind } from "../binds.ts";
import type { Actions, Context } from "./actions.ts";

/** Milliseconds without a change before weights are looked over. */
const PAUSE = 150;

/** Actions that look at the weights and give them away. */
export function createReviewActions({
  store,
  engine,
  tell,
}: Context): Pick<Actions, "review" | "save"> {
  const { state } = store;
  let asked = 0;

  async function review() {
    const bind = currentBind(state);
    const { character } = state;
    if (!bind || !character || state.fitting) return;
    const turn = ++asked;
    // Strokes come one after the other: only the last of them is looked over.
    await new Promise((done) => setTimeout(done, PAUSE));
    if (turn !== asked || state.character !== character) return;
    try {
      const isLatest = bind.id === Math.max(...state.binds.map(({ id }) => id));
      // Of what the server bound, the binder knows the weights only.
      const isKnown = isLatest && bind.origin === "method" && !bind.result?.isRemote;
      const doubts = await engine.review(bind.weights, isKnown);
      const isOther = bind.origin !== "file" && character.prepared.character.weights;
      const comparison = isOther ? await engine.compare(bind.weights) : undefined;
      if (turn !== asked || state.character !== character) return;
      Object.assign(state, { doubts, comparison, validity: undefined });
      store.changed("doubts", "comparison");
      const validity = await engine.file().call("validate", { weights: bind.weights });
      if (turn !== asked) return;
      state.validity = validity;
      store.changed("doubts");
    } catch (error) {
      // What was not found out is not said; the weights are as good as before.
      if (turn === asked && !state.busy) tell(error);
    }
  }

  async function measureField() {
    if (state.look !== "hollow" || !state.character || state.busy) return;
    const { joint, character } = state;
    try {
      const field = await engine.field(joint);
      if (state.joint !== joint || state.character !== character) return;
      state.field = field;
      store.changed("field");
    } catch (error) {
      tell(error);
    }
  }

  store.on(["joint", "look", "busy"], () => void measureField());
  return {
    review,
    async save(format: OutputFormat) {
      const bind = currentBind(state);
      if (!bind) return undefined;
      try {
        const { weights } = bind;
        const maxInfluences = weights.influences;
        const bytes = await engine.file().call("write", { weights, maxInfluences, format });
        bind.isSaved = true;
        return bytes;
      } catch (error) {
        tell(error);
        return undefined;
      }
    },
  };
}
