// Checks that every relative link of a document in the npm package leads to a file in the package.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

/** The files of the package, as npm packs them. */
function packedFiles(): string[] {
  const argv = ["pack", "--dry-run", "--json", "--ignore-scripts"];
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  const out = execFileSync(npm, argv, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  return JSON.parse(out)[0].files.map((file: { path: string }) => file.path);
}

/** The anchor of a heading, as GitHub generates it. */
function anchorOf(heading: string): string {
  const plain = heading.replace(/[`*]|\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase();
  return plain.replace(/[^\p{L}\p{N}\- _]/gu, "").replaceAll(" ", "-");
}

function anchorsOf(file: string): Set<string> {
  const text = readFileSync(file, "utf8").replace(/^```[\s\S]*?^```/gm, "");
  return new Set([...text.matchAll(/^#+ (.*)$/gm)].map(([, heading]) => anchorOf(heading.trim())));
}

test("links of the packed documents", { timeout: 60_000 }, () => {
  const packed = new Set(packedFiles());
  const documents = [...packed].filter((file) => file.endsWith(".md"));
  expect(documents).toContain("docs/lab/network.md");
  const broken: string[] = [];
  for (const file of documents.filter((each) => !each.startsWith("runtime/"))) {
    for (const [, link] of readFileSync(file, "utf8").matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(link)) continue;
      const [name, anchor] = link.split("#");
      const target = name ? path.posix.join(path.posix.dirname(file), name) : file;
      const hasAnchor = !anchor || !target.endsWith(".md") || anchorsOf(target).has(anchor);
      if (!packed.has(target) || !hasAnchor) broken.push(`${file}: ${link}`);
    }
  }
  expect(broken).toEqual([]);
});
