import type { SkinWeights } from "../../../src/index.ts";
import type { Actions } from "../actions/actions.ts";
import type { KeptBind } from "../kept-bind.ts";
import type { Store } from "../store.ts";
import { rowChanges } from "./row-changes.ts";

/** Records what was painted since a copy of the weights was taken as an undoable step, if anything changed. */
export function recordChange(
  store: Store,
  actions: Pick<Actions, "history" | "choose" | "review">,
  target: KeptBind,
  before: SkinWeights,
): void {
  const step = rowChanges(before, target.weights);
  if (!step) return;
  const wasPainted = target.isPainted;
  const mark = (isPainted: boolean) => {
    target.isPainted = isPainted;
    target.isSaved = false;
    actions.choose(target.id);
  };
  actions.history.record({
    undo() {
      step.undo();
      mark(wasPainted);
    },
    redo() {
      step.redo();
      mark(true);
    },
  });
  target.isPainted = true;
  target.isSaved = false;
  store.changed("binds", "weights", "brush");
  void actions.review();
}
