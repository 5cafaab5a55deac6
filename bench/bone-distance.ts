import { prepareCharacter } from "../src/character/prepare-character.ts";
import {
  type Command,
  type CommandArguments,
  type CommandContext,
  choice,
  nearestWord,
  text,
} from "../src/cli/command.ts";
import { namedOptions } from "../src/cli/verb-options.ts";
import { readCharacterFile } from "../src/disk/character-files.ts";
import { writeWhole } from "../src/disk/write-whole.ts";
import { InputError } from "../src/input-error.ts";
import { encodePng } from "../src/picture/png.ts";
import type { Skeleton } from "../src/skeleton/skeleton.ts";
import { drawBone, measureBone, type SliceAxis } from "./distance-picture.ts";

/** `heterskin distance`: one bone's HollowDist on the surface and in a slice of the grid. */
export const distance: Command = {
  name: "distance",
  summary: "Show HollowDist from one bone: on the surface, and in a slice through the cells.",
  usage: "distance <in> --bone NAME [--picture file.png]",
  positionals: [1, 1],
  options: {
    bone: text("name", "Name of the joint the bone starts at."),
    picture: text("file", "Write surface and slice as PNG."),
    slice: choice(
      "text",
      ["x", "y", "z"],
      "Axis the slice is looked at along; it passes through the bone.",
      "z",
    ),
    ...namedOptions(["resolution"]),
  },
  examples: [["heterskin distance fox.glb --bone tail_2 --picture tail.png", "the paper's figure"]],
  run,
};

async function run(args: CommandArguments, context: CommandContext): Promise<void> {
  const file = await readCharacterFile(args.positionals[0]);
  const { character } = prepareCharacter(file.character);
  const bone = findJoint(character.skeleton, args.text("bone"));
  const measured = measureBone(character, bone, args.settings(namedOptions(["resolution"])));
  const { grid, sorted } = measured;
  const quantile = (share: number) => sorted[Math.floor(share * (sorted.length - 1))].toFixed(4);
  context.print(`${character.skeleton.names[bone]}: HollowDist in longest sides of the mesh`);
  context.print(`  cells     ${grid.nx} x ${grid.ny} x ${grid.nz}`);
  context.print(`  nearest   ${quantile(0)}`);
  context.print(`  median    ${quantile(0.5)}`);
  context.print(`  farthest  ${quantile(1)}`);
  const picture = args.text("picture");
  if (!picture) return;
  const page = drawBone(measured, args.requireText("slice") as SliceAxis);
  writeWhole([[picture, encodePng(page)]]);
  context.print(`Wrote ${picture}`);
}

function findJoint(skeleton: Skeleton, name: string | undefined): number {
  const names = skeleton.names;
  if (name === undefined) {
    throw new InputError(`Say which bone with --bone NAME; the joints are ${names.join(", ")}.`);
  }
  const joint = names.indexOf(name);
  if (joint >= 0) return joint;
  const near = nearestWord(name, names);
  const hint = near ? `did you mean "${near}"?` : `the joints are ${names.join(", ")}.`;
  throw new InputError(`There is no joint called "${name}"; ${hint}`);
}
