import { InputError } from "../../input-error.ts";
import { BIPED } from "./biped.ts";
import { BIRD } from "./bird.ts";
import { FISH } from "./fish.ts";
import { QUADRUPED } from "./quadruped.ts";
import { SNAKE } from "./snake.ts";
import { SPIDER } from "./spider.ts";
import type { SkeletonTemplate } from "./template.ts";

/** Skeletons for meshes that come without one. */
export const TEMPLATES: readonly SkeletonTemplate[] = [BIPED, QUADRUPED, BIRD, FISH, SNAKE, SPIDER];

/** The template of that name. */
export function templateNamed(name: string): SkeletonTemplate {
  const found = TEMPLATES.find((template) => template.name === name);
  if (!found) {
    const names = TEMPLATES.map((template) => template.name).join(", ");
    throw new InputError(`There is no skeleton template "${name}"; choose one of ${names}.`);
  }
  return found;
}
