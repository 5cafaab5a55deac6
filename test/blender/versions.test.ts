import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const read = (file: string) => readFileSync(file, "utf8");

test("the add-on and the package have one version", () => {
  const { version } = JSON.parse(read("package.json"));
  const lock = JSON.parse(read("package-lock.json"));
  const [, manifest] = /^version = "(.+)"$/m.exec(read("blender/heterskin/blender_manifest.toml"))!;
  const [, info] = /^ {4}"version": \((.+)\),$/m.exec(read("blender/heterskin/__init__.py"))!;
  expect({
    lock: lock.version,
    lockRoot: lock.packages[""].version,
    manifest,
    info: info.split(", ").join("."),
  }).toEqual({ lock: version, lockRoot: version, manifest: version, info: version });
});
