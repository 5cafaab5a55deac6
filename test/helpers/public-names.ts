import { readFileSync } from "node:fs";
import path from "node:path";
import type { Snippet } from "./doc-snippets.ts";

/** A name of the package's main entry, with the comment at its definition. */
export interface PublicName {
  name: string;
  file: string;
  line: number;
  comment: string;
}

/** All names of `src/index.ts`, types among them. */
export function publicNames(): PublicName[] {
  const text = readFileSync("src/index.ts", "utf8");
  const statements = text.matchAll(/^export (?:type )?\{([^}]*)\} from "([^"]+)";/gm);
  return [...statements].flatMap(([, list, from]) =>
    list
      .split(",")
      .map((entry) => entry.trim().replace(/^type /, ""))
      .filter((name) => name !== "")
      .map((name) => definition(name, path.posix.join("src", from))),
  );
}

function definition(name: string, file: string): PublicName {
  const text = readFileSync(file, "utf8");
  const kind = "(?:async )?(?:function|const|interface|type|class)";
  const found = new RegExp(`^export ${kind} ${name}\\b`, "m").exec(text);
  if (!found) throw new Error(`publicNames: ${file} does not define ${name}.`);
  const before = text.slice(0, found.index).trimEnd();
  const comment = before.endsWith("*/") ? before.slice(before.lastIndexOf("/**")) : "";
  return { name, file, line: before.split("\n").length, comment };
}

/** Names that examples in doc comments may use without importing them. */
const PRELUDE = `import {
  type BoneDoubt, type Character, type Doubts, type Mesh, type MeasuredCharacter, type MeasureOptions,
  type QuantizedWeights, type Skeleton, type SkinOptions, type SkinResult, type SkinWeights,
  type TransferOptions, type TransferResult, type VertexDoubt, type WeightProblem,
  InputError, METHOD_NAMES, SKIN_DEFAULTS, VERTEX_DOUBTS, checkWeights, forwardKinematics,
  limitInfluences, linearBlend, measureDistances, quantizeWeights, refine, refineWeights, skin,
  transfer, transferWeights, type RefineOptions, type RefineResult, fix, type FixOptions, type FixResult,
  lods, type LodOptions,
} from "heterskin";
import { readCharacterFile } from "heterskin/node";
import { prepareCharacter, restoreWeights } from "heterskin/parts";

const { character } = await readCharacterFile("fox.glb");
const { character: shirt } = await readCharacterFile("shirt.glb");
const weights = character.weights!;
`;

/** The examples of all public names, each a program. */
export function exampleSnippets(): Snippet[] {
  return publicNames().flatMap(({ file, line, comment }) => {
    const [, example] = comment.split("@example");
    if (!example) return [];
    const code = example.replace(/^\s*\*\/?( |$)/gm, "").replace(/\*\/\s*$/, "");
    return [{ file, line, language: "ts", code: PRELUDE + code }];
  });
}
