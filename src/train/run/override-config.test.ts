import { expect, test } from "vitest";
import { overrideConfig } from "./override-config.ts";

const config = { blocks: 3, name: "a", loss: { l1: 0.5, on: true } };

test("entries are replaced by name, at any depth, in a copy", () => {
  expect(overrideConfig(config, "blocks=4, loss.l1=0.7,loss.on=false,name=b")).toEqual({
    blocks: 4,
    name: "b",
    loss: { l1: 0.7, on: false },
  });
  expect(config.blocks).toBe(3);
  expect(overrideConfig(config, "")).toEqual(config);
});

test("unknown entries and values of another type are refused", () => {
  for (const wrong of ["block=4", "loss.l2=1", "loss=1", "blocks.x=1", "blocks.x.y=1", "=3"]) {
    expect(() => overrideConfig(config, wrong), wrong).toThrow("no entry");
  }
  for (const wrong of ["blocks=four", "blocks=", "blocks", "loss.on=1"]) {
    expect(() => overrideConfig(config, wrong), wrong).toThrow("is a");
  }
});
