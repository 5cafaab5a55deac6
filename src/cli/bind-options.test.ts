import { expect, test } from "vitest";
import { namesIn } from "./bind-options.ts";

test.each([
  ["a,b", ["a", "b"]],
  [" a , b ,", ["a", "b"]],
  ["arm\\, left,leg", ["arm, left", "leg"]],
  ["\\,", [","]],
  ["", []],
])("the names in %s", (text, names) => {
  expect(namesIn(text)).toEqual(names);
});
