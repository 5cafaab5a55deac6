import { writeFile } from "node:fs/promises";
import { boneField } from "../../distance/bone-field.ts";
import { voxelizeCharacter } from "../../distance/measure.ts";
import { InputError } from "../../input-error.ts";
import { readCharacterFile } from "../../io/node.ts";
import { heatColour } from "../../picture/colour-maps.ts";
import { pictureGrid } from "../../picture/picture-grid.ts";
import { encodePng } from "../../picture/png.ts";
import { renderCharacter } from "../../picture/render-character.ts";
import type { Skeleton } from "../../skeleton/skeleton.ts";
import { prepareCharacter } from "../../weights/prepare-character.ts";
import type { Command, CommandArguments, CommandContext } from "../command.ts";
import { MEASURE_OPTIONS } from "../measure-options.ts";
import { nearestWord } from "../nearest-word.ts";
import { type SliceAxis, slicePicture } from "../slice-picture.ts";

/** Side of the two halves of the picture, in pixels. */
const PIXELS = 560;

/** `heterskin distance`: one bone's HollowDist on the surface and in a slice of the grid. */
export const distance: Command = {
  name: "distance",
  summary: "Show HollowDist from one bone: on the surface, and in a slice through the cells.",
  usage: "distance <in> --bone NAME [--picture file.png]",
  positionals: [1, 1],
  options: {
    bone: { type: "text", value: "name", help: "Name of the joint the bone starts at." },
    picture: { type: "text", value: "file", help: "Write surface and slice as PNG." },
    slice: {
      type: "text",
      choices: ["x", "y", "z"],
      default: "z",
      help: "Axis the slice is looked at along; it passes through the bone.",
    },
    ...MEASURE_OPTIONS,
  },
  examples: [["heterskin distance fox.glb --bone tail_2 --picture tail.png", "the paper's figure"]],
  run,
};

async function run(args: CommandArguments, context: CommandContext): Promise<void> {
  const file = await readCharacterFile(args.positionals[0]);
  const { character } = prepareCharacter(file.character);
  const { mesh, skeleton } = character;
  const bone = findJoint(skeleton, args.text("bone"));
  const options = {
    resolution: args.number("resolution"),
    variant: args.text("variant") as "default" | "paper",
  };
  const { grid, bones } = voxelizeCharacter(character, options);
  const field = boneField(mesh, bones, bone, grid, options);
  const sorted = field.distances.toSorted();
  const quantile = (share: number) => sorted[Math.floor(share * (sorted.length - 1))].toFixed(4);
  context.print(`${skeleton.names[bone]}: HollowDist in longest sides of the mesh`);
  context.print(`  cells     ${grid.nx} x ${grid.ny} x ${grid.nz}`);
  context.print(`  nearest   ${quantile(0)}`);
  context.print(`  median    ${quantile(0.5)}`);
  context.print(`  farthest  ${quantile(1)}`);
  const picture = args.text("picture");
  if (!picture) return;
  const farthest = sorted[sorted.length - 1] || 1;
  const colours = new Uint8ClampedArray(mesh.positions.length);
  field.distances.forEach((d, v) => {
    colours.set(heatColour(1 - 0.97 * (d / farthest)), v * 3);
  });
  const surface = renderCharacter(
    character,
    colours,
    { size: PIXELS, skeleton: true },
    { highlight: bone },
  );
  const middle = [0, 1, 2].map((k) => (bones.heads[bone * 3 + k] + bones.ends[bone * 3 + k]) / 2);
  const slice = slicePicture(grid, field, args.text("slice") as SliceAxis, middle, PIXELS);
  const page = pictureGrid([surface, slice], 2, {
    title: skeleton.names[bone],
    columnTitles: ["on the surface", "in a slice of cells"],
  });
  await writeFile(picture, encodePng(page)).catch((error: Error) => {
    throw new InputError(`${picture} cannot be written: ${error.message}.`);
  });
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
