/**
 * Documents contain generated parts between markers, which Markdown does not show:
 *
 *     <!-- table:accuracy -->
 *     | ... |
 *     <!-- /table -->
 *
 *     an L1 error of <!-- number:test/network/l1 -->0.429<!-- /number -->
 */
const MARKERS: RegExp = /(<!-- (table|number):([^ ]+) -->)([\s\S]*?)(<!-- \/\2 -->)/g;

/** Content between markers by kind and name; undefined if there is none. */
export type Filling = (kind: "table" | "number", name: string) => string | undefined;

/** Regenerates every generated part of a document; parts without content stay as they are. */
export function fillTables(text: string, filling: Filling): string {
  return text.replace(
    MARKERS,
    (all, open: string, kind: "table" | "number", name: string, _, close) => {
      const content = filling(kind, name);
      if (content === undefined) return all;
      return kind === "table" ? `${open}\n${content}\n${close}` : `${open}${content}${close}`;
    },
  );
}

/**
 * Lists the problems of the generated parts of a document: parts that differ from their content, parts without
 * content, and markers without a partner.
 */
export function tableProblems(text: string, filling: Filling): string[] {
  const problems: string[] = [];
  const rest = text.replace(MARKERS, (_, __, kind: "table" | "number", name: string, content) => {
    const expected = filling(kind, name);
    if (expected === undefined) problems.push(`The ${kind} ${name} has no result file behind it.`);
    else if (expected.trim() !== content.trim()) {
      problems.push(
        `The ${kind} ${name} reads\n${content.trim()}\nbut the results say\n${expected}`,
      );
    }
    return "";
  });
  for (const [marker] of rest.matchAll(/<!-- \/?(table|number)\b.*?-->/g)) {
    problems.push(`The marker ${marker} has no partner.`);
  }
  return problems;
}
