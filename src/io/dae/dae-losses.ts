import { lose } from "../losses.ts";
import { childOf, childrenNamed } from "../tree.ts";
import type { DaeDocument } from "./dae-document.ts";
import { type XmlElement, xmlDescendants, xmlWords } from "./parse-xml.ts";

/** Elements that no part of the reader takes, and what they are. */
const UNREAD: Record<string, string> = {
  lines: "lines",
  linestrips: "lines",
  spline: "splines",
  convex_mesh: "convex meshes",
  animation_clip: "animation clips (one animation holds them all)",
  rigid_body: "bodies of physics",
  rigid_constraint: "constraints of physics",
  kinematics_model: "models of kinematics",
  force_field: "force fields",
  skew: "skews of nodes",
  lookat: "nodes that look at something",
};

/** Counts what a COLLADA file has that is not read. */
export function loseUnread({ root, lost }: DaeDocument): void {
  const visit = (element: XmlElement) => {
    const what = Object.hasOwn(UNREAD, element.name) ? UNREAD[element.name] : undefined;
    if (what) lose(lost, what);
    if (element.name === "technique" && element.attributes.profile !== undefined) {
      lose(lost, `extras for ${element.attributes.profile}`);
    }
    element.children.forEach(visit);
  };
  root.children.forEach(visit);
  for (const sampler of xmlDescendants(root, "Name_array")) {
    const words = new Set(xmlWords(sampler));
    if (words.has("BEZIER") || words.has("HERMITE")) {
      lose(lost, "curves that bend between keys (straight now)");
    }
  }
  const scenes = childrenNamed(childOf(root, "library_visual_scenes"), "visual_scene");
  lose(lost, "scenes that are not shown", scenes.length - 1);
}
