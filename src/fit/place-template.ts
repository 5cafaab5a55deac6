import type { Mesh } from "../mesh/mesh.ts";
import type { Front } from "../skeleton/find-up.ts";
import type { Skeleton } from "../skeleton/skeleton.ts";
import { bipedTemplate, type SkeletonTemplate, templateNamed } from "../skeleton/templates.ts";
import { likelyKinds } from "./choose-template.ts";
import { facing, findFront } from "./find-front.ts";
import { fitTemplate, meshDepth } from "./fit-template.ts";
import { type GrownChain, growChains } from "./grow-chains.ts";

/** Joints of the spine of a biped with fingers: as in Mixamo and VRM. */
const SPINE = 3;
/** Templates whose front is searched; others lie along z, or along x if they are long in x. */
const FACED = new Set(["biped", "quadruped", "dragon"]);

/** Another kind of body is named if it is at least this likely. */
const POSSIBLE = 0.2;

/** How a template is placed in a body. */
export interface PlaceOptions {
  /** Whether joints follow the limbs, or only go to their positions in the bounding box; default true. */
  isFitted?: boolean | undefined;
  /** Direction in which the body faces; `auto` finds it. */
  front?: Front | "auto" | undefined;
  /** Fingers per hand of a biped, 0 to 5; default 0. */
  fingers?: number | undefined;
  /** Whether parts that no bone explains get chains of joints (`growChains`); default false. */
  hasChains?: boolean | undefined;
  /** Whether a biped without fingers has the spine of the naming conventions as well. */
  hasLongSpine?: boolean | undefined;
}

/** A template in a body. */
export interface PlacedTemplate {
  skeleton: Skeleton;
  /** Chains for ears, hair, skirts and other parts that the template has no bones for. */
  chains: GrownChain[];
  template: SkeletonTemplate;
  front: Front;
  /** Whether another front is unlikely. */
  isSure: boolean;
  /** Other templates that may suit the body, if it was chosen. */
  others: string[];
}

/**
 * Chooses a template for a body if none is named, finds out where the body faces, and fits the template.
 *
 * @param name of a template, or `auto`
 * @example
 * const { skeleton, front } = placeTemplate(character.mesh, "auto", { fingers: 5 });
 */
export function placeTemplate(
  mesh: Mesh,
  name: string,
  options: PlaceOptions = {},
): PlacedTemplate {
  const { isFitted = true, front: given = "auto", fingers = 0, hasLongSpine = false } = options;
  const isSearched = isFitted && given === "auto" && (name === "auto" || FACED.has(name));
  const found = isSearched ? findFront(mesh) : undefined;
  let front: Front = found?.front ?? (given === "auto" ? "z" : given);
  const turned = (to: Front): Mesh => ({
    ...mesh,
    positions: facing(to).forwards(mesh.positions),
  });
  const [chosen, ...rest] = name === "auto" ? likelyKinds(turned(front)) : [];
  const kind = chosen?.kind ?? name;
  const others = rest.flatMap(({ kind, likelihood }) => (likelihood > POSSIBLE ? [kind] : []));
  if (found && !FACED.has(kind)) front = "z";
  const template =
    kind === "biped" && (fingers > 0 || hasLongSpine)
      ? bipedTemplate({ fingers, spine: SPINE })
      : templateNamed(kind);
  const body = turned(front);
  const fitted = fitTemplate(body, template, isFitted ? meshDepth(body) : undefined);
  const { skeleton, chains } =
    isFitted && options.hasChains ? growChains(body, fitted) : { skeleton: fitted, chains: [] };
  skeleton.positions = facing(front).back(skeleton.positions);
  const isSure = found?.isSure ?? true;
  return { skeleton, chains, template, front, isSure, others };
}
