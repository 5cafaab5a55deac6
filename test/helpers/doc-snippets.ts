import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** A code block in a document. */
export interface Snippet {
  file: string;
  /** Line number of its first line, from 1. */
  line: number;
  /**
   * Language of the fence: `ts` is type-checked and run, `sh` is run, `sh parsed` holds commands that take hours
   * or need data and is only parsed, `text` is the output of a program.
   */
  language: string;
  code: string;
}

/** The documents for users. */
export function documents(): string[] {
  const docs = readdirSync("docs", { recursive: true })
    .map((name) => `${name}`.replaceAll("\\", "/"))
    .filter((name) => name.endsWith(".md"));
  return ["README.md", "CONTRIBUTING.md", "MODEL_CARD.md", ...docs.map((name) => `docs/${name}`)];
}

/** All fenced code blocks of a document. */
export function snippetsOf(file: string): Snippet[] {
  const snippets: Snippet[] = [];
  let open: Snippet | undefined;
  readFileSync(file, "utf8")
    .split("\n")
    .forEach((text, i) => {
      const fence = /^\s*```(.*)$/.exec(text);
      if (fence && open) {
        snippets.push(open);
        open = undefined;
      } else if (fence) {
        open = { file, line: i + 2, language: fence[1].trim(), code: "" };
      } else if (open) {
        open.code += `${text}\n`;
      }
    });
  return snippets;
}

/** The commands of a shell snippet as lists of words, without comments; `*` in a word is expanded. */
export function commandsOf({ code }: Snippet, folder?: string): string[][] {
  const lines = code.split("\n").map((line) => line.replace(/(^|\s)#.*$/, "").trim());
  return lines
    .filter((line) => line !== "")
    .map((line) =>
      line
        .split(/\s+/)
        .flatMap((word) => (folder && word.includes("*") ? filled(word, folder) : [word])),
    );
}

function filled(word: string, folder: string): string[] {
  const [place, ending] = [path.dirname(word), path.extname(word)];
  const names = readdirSync(path.join(folder, place)).filter((name) => name.endsWith(ending));
  return names.map((name) => path.join(place, name));
}
