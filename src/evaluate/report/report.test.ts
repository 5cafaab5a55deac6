import { describe, expect, test } from "vitest";
import { createRandom } from "../../math/random.ts";
import { type Evaluation, TOP_K } from "../evaluate-character.ts";
import { boxPlot, linePlot } from "./plots.ts";
import { reportHtml } from "./report-html.ts";

function evaluationOf(methods: string[], count = 8): Evaluation {
  const random = createRandom(1);
  const curve = { weight: TOP_K.map((k) => 1 - 0.5 / k), oracle: TOP_K.map((k) => 1 / k) };
  return {
    preset: "paper",
    methods,
    characters: Array.from({ length: count }, (_, i) => ({
      id: `<b>char & "${i}"`,
      vertices: 100 + i,
      joints: 10,
      topK: { hollow: curve, euclid: curve },
      results: Object.fromEntries(
        methods.map((method, m) => {
          const l1 = 0.3 * (m + 1) + 0.1 * random();
          const score = { precision: 0.8 - m / 10, recall: 0.7, l1, l1Raw: l1, distance: l1 / 90 };
          const visible = noFaults();
          const rest = { maxDistance: l1 / 9, bleed: 0.01, unweighted: 0 };
          if (i === 3 && m === 1) return [method, { error: "no <luck>", seconds: 1 }];
          return [method, { score: { ...score, ...rest, visible }, seconds: 0.1 }];
        }),
      ),
    })),
  };
}

/** Every element that is opened is closed, in order. */
function expectBalanced(html: string): void {
  const open: string[] = [];
  const empty = new Set(["meta", "img", "line", "rect", "circle", "path", "polyline", "!doctype"]);
  const bare = html.replace(/<(style|script)>[\s\S]*?<\/\1>/g, "");
  for (const [, slash, name] of bare.matchAll(/<(\/?)([a-z!][a-z0-9]*)[^>]*>/g)) {
    if (empty.has(name)) continue;
    if (slash) expect(open.pop()).toBe(name);
    else open.push(name);
  }
  expect(open).toEqual([]);
}

describe("reportHtml", () => {
  const page = reportHtml(evaluationOf(["network", "rignet", "paper", "paper-euclid"]), [
    {
      title: "Worst <characters>",
      text: "Look.",
      rows: [
        {
          caption: "row",
          pictures: [{ caption: 'the "best"', source: "data:image/png;base64,AAAA" }],
        },
      ],
    },
  ]);

  test("is one well-formed, self-contained page", () => {
    expectBalanced(page);
    expect(page).not.toMatch(/(src|href)="(?!data:)/);
    expect(page).not.toMatch(/url\(|@import|https?:/);
  });

  test("escapes names of files and methods", () => {
    expect(page).toContain("&lt;b&gt;char &amp; &quot;0&quot;");
    expect(page).not.toContain("<b>char");
    expect(page).toContain("no &lt;luck&gt;");
    expect(page).toContain("Worst &lt;characters&gt;");
  });

  test("has the tables, with the best in bold and the ablation separately", () => {
    const [comparison] = page.split("<h2>Differences");
    expect(comparison).toContain("<b>80.0</b>");
    expect(comparison).not.toContain("with Euclidean distance");
    const ablation = page.split("<h2>Ablation</h2>")[1].split("<h2>")[0];
    expect(ablation).toContain("with Euclidean distance");
    expect(reportHtml(evaluationOf(["heat"]))).not.toContain("Ablation");
    expect(page.match(/class="plot"/g)).toHaveLength(8);
    expect(page).toContain('class="sortable"');
  });

  test("lists the worst character of the first method first", () => {
    const evaluation = evaluationOf(["heat"]);
    const worst = evaluation.characters.toSorted(
      (a, b) => b.results.heat.score!.l1 - a.results.heat.score!.l1,
    )[0];
    const table = reportHtml(evaluation).split('class="sortable"')[1];
    const firstRow = table.split("<tbody>")[1].split("</tr>")[0];
    expect(firstRow).toContain(`<td data-value="${worst.vertices}">`);
  });

  test("is also written if every character failed", () => {
    const evaluation = evaluationOf(["heat"], 1);
    evaluation.characters[0].results.heat = { error: "broken", seconds: 0 };
    delete evaluation.characters[0].topK;
    const empty = reportHtml(evaluation);
    expectBalanced(empty);
    expect(empty).not.toContain("NaN");
  });
});

describe("plots", () => {
  test("omits groups without values and writes no NaN", () => {
    const plot = boxPlot("L1", [
      { label: "empty", values: [] },
      { label: "one", values: [0] },
    ]);
    expect(plot).not.toContain("empty");
    expect(plot).not.toContain("NaN");
    expect(linePlot("a", "K", [1, 2], [{ label: "x", values: [Number.NaN, 1] }])).not.toContain(
      "NaN",
    );
  });
});

function noFaults() {
  return {
    usedJoints: 4,
    deadJoints: 0,
    touchingParts: 0,
    floatingParts: 0,
    edges: 10,
    tornEdges: 0,
    sidedVertices: 0,
    crossedVertices: 0,
  };
}
