import type { Store } from "../store.ts";
import { find, make } from "./dom.ts";

/** Shows the joints and weights of the vertex under the pointer. */
export function createInspector({ state }: Store): (vertex: number | undefined) => void {
  const box = find("inspector");
  box.hidden = true;
  return (vertex) => {
    const { character } = state;
    const weights = state.shown === "before" ? state.before?.weights : state.weights;
    box.hidden = vertex === undefined || !weights || !character;
    if (vertex === undefined || !weights || !character) return;
    const { names } = character.prepared.character.skeleton;
    const rows = [];
    for (let i = 0; i < weights.influences; i++) {
      const slot = vertex * weights.influences + i;
      if (weights.weights[slot] <= 0) continue;
      rows.push(
        make("dt", {}, names[weights.joints[slot]]),
        make("dd", {}, weights.weights[slot].toFixed(3)),
      );
    }
    box.replaceChildren(make("strong", {}, `Vertex ${vertex}`), make("dl", {}, ...rows));
  };
}
