import type { Store } from "../store.ts";
import type { Hit } from "../view/pick.ts";
import { find, make } from "./dom.ts";

/** Shows the joints and weights of the vertex under the pointer, for the part of the view it is in. */
export function createInspector({ state }: Store): (hit: Hit | undefined) => void {
  const box = find("inspector");
  box.hidden = true;
  return (hit) => {
    const weights = hit?.bind?.weights;
    const { character } = state;
    box.hidden = !hit || !weights || !character;
    if (!hit || !weights || !character) return;
    const { names } = character.prepared.character.skeleton;
    const rows = [];
    for (let i = 0; i < weights.influences; i++) {
      const slot = hit.vertex * weights.influences + i;
      if (weights.weights[slot] <= 0) continue;
      rows.push(
        make("dt", {}, names[weights.joints[slot]]),
        make("dd", {}, weights.weights[slot].toFixed(3)),
      );
    }
    box.replaceChildren(make("strong", {}, `Vertex ${hit.vertex}`), make("dl", {}, ...rows));
  };
}
