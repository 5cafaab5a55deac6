const SIDES = new Map<string, string>(
  (
    [
      ["l", "r"],
      ["L", "R"],
      ["left", "right"],
      ["Left", "Right"],
      ["LEFT", "RIGHT"],
      ["左", "右"],
    ] as const
  ).flatMap(([a, b]) => [
    [a, b],
    [b, a],
  ]),
);

/** Words, numbers and what is between them: `mixamorig:LeftArm` is mixamorig, :, Left, Arm. */
const PIECES = /[左右]|[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[^A-Za-z左右]+/gu;

/**
 * What a joint on the other side of the body might be called: `arm.L` gives `arm.R`; nothing for a
 * name without a side.
 *
 * Knows left and right as words (`LeftArm`, `left_arm`, `armleft`), as letters of their own (`L_Arm`,
 * `arm.l`, `lArm`, `Bip01 L Arm`) and in Japanese and Chinese. Several side words give several names.
 */
export function otherSideNames(name: string): string[] {
  const pieces = name.match(PIECES) ?? [];
  const swapped = pieces.map(swapPiece);
  const changed = [...pieces.keys()].filter((i) => swapped[i] !== pieces[i]);
  const single = changed.map((at) => pieces.map((piece, i) => (i === at ? swapped[i] : piece)));
  const names = changed.length > 1 ? [swapped, ...single] : single;
  return [...new Set(names.map((parts) => parts.join("")))];
}

function swapPiece(piece: string): string {
  const whole = SIDES.get(piece);
  if (whole) return whole;
  // Words written together: leftarm, armright.
  const within = piece.match(/^(left|right|Left|Right)(?=.)|(left|right)$/u)?.[0];
  if (!within) return piece;
  const other = SIDES.get(within);
  return piece.startsWith(within)
    ? other + piece.slice(within.length)
    : piece.slice(0, -within.length) + other;
}
