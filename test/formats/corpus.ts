import { writeFileSync } from "node:fs";
import path from "node:path";
import { parseFbxText } from "../../src/io/fbx/parse-fbx-text.ts";
import { joinRawFbx } from "../../src/io/fbx/raw-fbx.ts";
import { rawFromText } from "../../src/io/fbx/raw-from-text.ts";
import { DAE } from "../dae-sample.ts";
import { fbxSevenText } from "../fbx-sample.ts";

/** Files made by code, with what an artist's have: written to a folder; their paths. */
export async function writeCorpus(folder: string): Promise<string[]> {
  const binary = (text: string) => joinRawFbx(rawFromText("a.fbx", parseFbxText("a.fbx", text)));
  const files: [string, string | Uint8Array][] = [
    ["square.fbx", binary(fbxSevenText())],
    ["text.fbx", fbxSevenText()],
    ["square.dae", DAE],
  ];
  return files.map(([name, content]) => {
    const file = path.join(folder, name);
    writeFileSync(file, content);
    return file;
  });
}
