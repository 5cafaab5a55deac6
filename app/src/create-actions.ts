import type { Actions, Context } from "./actions/actions.ts";
import { createBindActions } from "./actions/bind.ts";
import { createFitActions } from "./actions/fit.ts";
import { createOpenActions } from "./actions/open.ts";
import { createReviewActions } from "./actions/review.ts";
import { isCancelled, VisitorError, WorkerFailure } from "./call-worker.ts";
import type { Engine } from "./engine.ts";
import { createHistory } from "./history.ts";
import { plainSentence } from "./plain-sentence.ts";
import type { Store } from "./store.ts";
import { warmNetwork } from "./warm-network.ts";

/** Connects the store and the engine. */
export function createActions(
  store: Store,
  engine: Engine,
  show: Pick<Context, "ask" | "cancelQuestion" | "notice" | "clearError"> & {
    alert(sentence: string): void;
    /** Called when a character has just received a skeleton and weights. */
    moves(): void;
  },
): Actions {
  const { state } = store;
  const history = createHistory();
  const context: Context = {
    store,
    engine,
    history,
    ask: show.ask,
    cancelQuestion: show.cancelQuestion,
    notice: show.notice,
    clearError: show.clearError,
    turn: 0,
    tell(error) {
      if (error instanceof WorkerFailure && globalThis.navigator?.onLine === false) {
        show.alert(
          "This browser is offline and has not stored this part of the page; it works once you are online again.",
        );
      } else if (error instanceof WorkerFailure) {
        show.alert(
          "A worker of this page exited unexpectedly, perhaps for lack of memory. Try again; if that does not help, open the file again.",
        );
      } else if (!(error instanceof VisitorError)) {
        show.alert(
          "An internal error occurred. You can continue: try again, or choose another method.",
        );
      } else if (!isCancelled(error)) show.alert(plainSentence(error.message));
    },
    busy(stage, fraction = 0) {
      state.busy = stage === undefined ? undefined : { stage, fraction };
      store.changed("busy");
    },
    stop() {
      context.turn++;
      if (!state.busy) return;
      engine.cancel();
      context.busy();
      void warmNetwork(store, engine, show.alert);
    },
  };
  const review = createReviewActions(context);
  const bind = createBindActions(context, review.review);
  const fit = createFitActions(context, bind.bind, show.moves);
  const open = createOpenActions(context, bind, fit);
  const after = () => {
    store.changed("binds", "weights", "pose", "brush");
    void review.review();
  };
  return {
    history,
    ...review,
    ...bind,
    ...fit,
    ...open,
    cancel() {
      engine.stopReading();
      state.reading = undefined;
      context.stop();
      context.busy();
      // Weights that existed before have not been reviewed yet.
      if (!state.doubts) void review.review();
    },
    undo() {
      history.undo();
      after();
    },
    redo() {
      history.redo();
      after();
    },
  };
}
