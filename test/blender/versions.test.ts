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

test("Blender's extension platform accepts the manifest", () => {
  const text = read("blender/heterskin/blender_manifest.toml");
  const value = (key: string) => new RegExp(`^${key} = "(.+)"$`, "m").exec(text)?.[1] ?? "";
  expect(value("schema_version")).toBe("1.0.0");
  expect(value("id")).toMatch(/^[a-z][a-z0-9_]*$/);
  expect(value("version")).toMatch(/^\d+\.\d+\.\d+$/);
  expect(value("type")).toBe("add-on");
  expect(text).toMatch(/^license = \["SPDX:[\w.-]+"\]$/m);
  // Sentences of at most 64 characters that do not end in punctuation.
  for (const each of [value("tagline"), value("files")]) {
    expect(each).toMatch(/^.{3,63}\w$/);
  }
  const tags = JSON.parse(/^tags = (\[.*\])$/m.exec(text)![1]);
  expect(tags).toEqual(["Rigging"]);
});
