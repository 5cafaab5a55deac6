import { InputError } from "../../input-error.ts";
import type { FbxNode, FbxValue } from "./fbx-node.ts";

// A comment, a text, a brace, a comma, a line end, or a word: numbers, names with their colon, flags.
const TOKEN = /;[^\n]*|"([^"]*)"|([{},])|(\n)|([^\s{},;"]+)/g;

/** Reads the node tree of a text FBX, versions 6 and 7. */
export function parseFbxText(name: string, text: string): FbxNode {
  const root: FbxNode = { name: "", values: [], children: [] };
  const open: FbxNode[] = [root];
  let node: FbxNode | undefined;
  let expectsValue = false;
  for (const [token, quoted, sign, newline, word] of text.matchAll(TOKEN)) {
    if (token.startsWith(";")) continue;
    if (sign === "{") {
      if (!node) throw damaged(name);
      open.push(node);
      node.hasBlock = true;
      node = undefined;
    } else if (sign === "}") {
      if (open.length < 2) throw damaged(name);
      open.pop();
      node = undefined;
    } else if (sign === ",") expectsValue = true;
    else if (newline) continue;
    else if (word?.endsWith(":") && !expectsValue) {
      node = { name: word.slice(0, -1), values: [], children: [] };
      open[open.length - 1].children.push(node);
    } else if (node) {
      node.values.push(quoted === undefined ? readWord(word) : quoted.replaceAll("&quot;", '"'));
      expectsValue = false;
    }
  }
  if (open.length !== 1) throw damaged(name);
  return root;
}

function readWord(word: string): FbxValue {
  if (word.startsWith("*")) return word;
  const number = Number(word);
  if (Number.isNaN(number)) return word;
  return /^-?\d{16,19}$/.test(word) && !Number.isSafeInteger(number) ? BigInt(word) : number;
}

function damaged(name: string): InputError {
  return new InputError(
    `${name}: the text of this FBX ends early or is damaged; copy or export it again.`,
  );
}
