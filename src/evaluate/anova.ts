import { mean } from "../math/mean.ts";
import { fTail } from "./f-distribution.ts";

export interface Anova {
  /** Variance between the groups over variance within them. */
  f: number;
  /** How likely so large an F is if all groups have one mean. */
  p: number;
  /** Degrees of freedom. */
  between: number;
  within: number;
}

/**
 * One-way analysis of variance: do the groups share one mean? (The paper's test.)
 *
 * @param groups at least two, each with at least one value, three values in all
 * @returns f is NaN where all values are equal
 */
export function oneWayAnova(groups: number[][]): Anova {
  const count = groups.reduce((sum, group) => sum + group.length, 0);
  const between = groups.length - 1;
  const within = count - groups.length;
  if (between < 1 || within < 1 || groups.some((group) => group.length === 0)) {
    throw new Error(
      `oneWayAnova: needs two groups and more values than groups, got ${groups.length} groups of ${count} values.`,
    );
  }
  const grand = mean(groups.flat());
  let explained = 0;
  let rest = 0;
  for (const group of groups) {
    const centre = mean(group);
    explained += group.length * (centre - grand) ** 2;
    for (const value of group) rest += (value - centre) ** 2;
  }
  const f = explained / between / (rest / within);
  return { f, p: fTail(f, between, within), between, within };
}
