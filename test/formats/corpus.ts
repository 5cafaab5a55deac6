import { writeFileSync } from "node:fs";
import path from "node:path";
import { parseFbxText, rawFromText } from "../../src/formats/fbx/parse-fbx.ts";
import { joinRawFbx } from "../../src/formats/fbx/raw-fbx.ts";
import { DAE } from "../helpers/dae-sample.ts";
import { RICH_DAE_PICTURES, richDae } from "../helpers/rich-dae.ts";
import { richFbxText } from "../helpers/rich-fbx.ts";

/** A file to bind, and optionally one that provides its skeleton. */
export interface Input {
  file: string;
  skeleton?: string;
}

/** Writes generated files with typical contents of artists' files to a folder. */
export function writeCorpus(folder: string): Input[] {
  const binary = (text: string) => joinRawFbx(rawFromText(parseFbxText("a.fbx", text)));
  const write = (name: string, content: string | Uint8Array) => {
    const file = path.join(folder, name);
    writeFileSync(file, content);
    return file;
  };
  for (const [name, bytes] of Object.entries(RICH_DAE_PICTURES)) write(name, bytes);
  const fbx = write("tube.fbx", binary(richFbxText()));
  const dae = write("tube.dae", richDae({ hasMorph: false }));
  const bare = richDae({ isSkinned: false, hasMorph: false });
  return [
    { file: fbx },
    { file: write("text.fbx", richFbxText()) },
    { file: write("boneless.fbx", binary(richFbxText(false))), skeleton: fbx },
    { file: write("rebound.fbx", binary(richFbxText())), skeleton: dae },
    { file: dae },
    { file: write("bare.dae", bare) },
    { file: write("rebound.dae", richDae({ hasMorph: false })), skeleton: fbx },
    { file: write("morph.dae", richDae()) },
    { file: write("square.dae", DAE) },
  ];
}
