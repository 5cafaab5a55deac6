import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { fileLosses } from "../../src/formats/index.ts";
import { readCharacterFile } from "../../src/node.ts";
import { tubeGlb } from "../helpers/glb-builder.ts";
import { runCli, useFolder } from "../helpers/run-cli.ts";
import { validateGltf } from "../helpers/validate-gltf.ts";

const folder = useFolder();
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4//8/AAX+Av4N70a4AAAAAElFTkSuQmCC",
  "base64",
);

/** Two by two pixels of 24 bits, black. */
const TGA = Buffer.from([
  0,
  0,
  2,
  0,
  0,
  0,
  0,
  0,
  0,
  0,
  0,
  0,
  2,
  0,
  2,
  0,
  24,
  0,
  ...Array(12).fill(0),
]);

/** A character in `in/` whose one image has this URI. */
function writeWithPicture(uri: string): string {
  mkdirSync(folder.at("in"), { recursive: true });
  const { builder } = tubeGlb({ rings: 3, joints: 3 });
  builder.json.images = [{ uri }];
  builder.json.textures = [{ source: 0 }];
  builder.json.materials = [{ pbrMetallicRoughness: { baseColorTexture: { index: 0 } } }];
  writeFileSync(folder.at("in/a.gltf"), builder.gltf());
  return folder.at("in/a.gltf");
}

async function pictureOf(uri: string): Promise<Uint8Array | undefined> {
  const { source } = await readCharacterFile(writeWithPicture(uri));
  return [...source.images.values()][0];
}

describe("pictures", () => {
  test.each([
    ["as named", "maps/a.png", "in/maps/a.png"],
    ["next to the file, by the last part of a path", "/art/hers/a.png", "in/a.png"],
    ["in textures", "C:\\work\\a.png", "in/textures/a.png"],
    ["in Textures", "a.png", "in/Textures/a.png"],
    ["in tex", "file:///x/a.png", "in/tex/a.png"],
    ["in the folder that exporters create", "a.png", "in/a.fbm/a.png"],
    ["next to the folder", "../textures/a.png", "textures/a.png"],
  ])("are found %s", async (_, uri, place) => {
    mkdirSync(path.dirname(folder.at(place)), { recursive: true });
    writeFileSync(folder.at(place), PNG);
    expect(Buffer.from((await pictureOf(uri)) ?? [])).toEqual(PNG);
  });

  test("in unsupported formats are reported, unless the same name exists as PNG", async () => {
    const input = writeWithPicture("skin.tga");
    const lostOf = async () => {
      const file = await readCharacterFile(input);
      return { lost: fileLosses(file, "glb"), notes: file.oddities };
    };
    expect((await lostOf()).lost).toEqual([{ what: "missing images", count: 1 }]);
    writeFileSync(folder.at("in/skin.tga"), TGA);
    expect(await lostOf()).toEqual({
      lost: [{ what: "images glTF does not support (.tga)", count: 1 }],
      notes: [],
    });
    writeFileSync(folder.at("in/skin.png"), PNG);
    expect(await lostOf()).toEqual({ lost: [], notes: [] });
    expect(Buffer.from((await pictureOf("skin.tga")) ?? [])).toEqual(PNG);
  });

  test("that are missing in large numbers are reported in one sentence", async () => {
    const input = writeWithPicture("0.png");
    const json = JSON.parse(readFileSync(input, "utf8"));
    json.images = Array.from({ length: 12 }, (_, i) => ({ uri: `${i}.png` }));
    writeFileSync(input, JSON.stringify(json));
    const { oddities } = await readCharacterFile(input);
    expect(oddities).toEqual([
      '12 images were not found next to the file: "0.png", "1.png", "2.png" and 9 more.',
    ]);
  });

  test("are read from no other place, and no other file is used as one", async () => {
    mkdirSync(folder.at("in/.git"), { recursive: true });
    mkdirSync(folder.at("secret"));
    for (const place of ["in/.git/a.png", "secret/a.png", "above.png", "in/.hidden.png"]) {
      writeFileSync(folder.at(place), PNG);
    }
    writeFileSync(folder.at("in/.env"), "KEY=1");
    writeFileSync(folder.at("in/notes.png"), "no picture");
    symlinkSync(folder.at("secret/a.png"), folder.at("in/link.png"));
    symlinkSync("/etc/passwd", folder.at("in/passwd.png"));
    const uris = [
      ".git/a.png",
      "../secret/a.png",
      "../above.png",
      ".hidden.png",
      ".env",
      "notes.png",
      "link.png",
      "passwd.png",
      "/dev/zero",
      "%2e%2e/above.png",
    ];
    for (const uri of uris) expect(await pictureOf(uri), uri).toBeUndefined();
  });

  test("that are missing are noted in terminal and report, and not referred to", async () => {
    const input = writeWithPicture("http://example.com/gone.png");
    const out = folder.at("out.glb");
    const argv = [
      "bind",
      input,
      out,
      "--method",
      "inverse-distance",
      "--report",
      folder.at("r.json"),
    ];
    const run = await runCli(...argv);
    expect(run.status).toBe(0);
    expect(run.stderr).toMatch(/note: The image ".*gone.png" was not found/);
    expect(readFileSync(folder.at("r.json"), "utf8")).toMatch(/gone\.png/);
    expect(readFileSync(out, "latin1")).not.toMatch(/example\.com/);
    expect(await validateGltf(readFileSync(out))).toEqual([]);
    await runCli("bind", input, folder.at("out.gltf"), "--method", "inverse-distance");
    expect(readFileSync(folder.at("out.gltf"), "utf8")).not.toMatch(/example\.com/);
  });

  test("from next to the folder are written next to a .gltf, never above it", async () => {
    mkdirSync(folder.at("textures"));
    writeFileSync(folder.at("textures/a.png"), PNG);
    const input = writeWithPicture("../textures/a.png");
    mkdirSync(folder.at("deep/out"), { recursive: true });
    await runCli("bind", input, folder.at("deep/out/b.gltf"), "--method", "inverse-distance");
    expect(existsSync(folder.at("deep/out/a.png"))).toBe(true);
    expect(existsSync(folder.at("deep/textures"))).toBe(false);
  });

  test("are the exception: buffers from other folders are refused", async () => {
    mkdirSync(folder.at("in"));
    writeFileSync(folder.at("in/.env"), "KEY=1");
    symlinkSync("/etc/passwd", folder.at("in/a.bin"));
    for (const uri of ["/dev/zero", "../a.bin", ".env", "a.bin", "gone.bin", "http://x/a.bin"]) {
      const json = { asset: { version: "2.0" }, buffers: [{ uri, byteLength: 4 }] };
      writeFileSync(folder.at("in/a.gltf"), JSON.stringify(json));
      const run = await runCli("inspect", folder.at("in/a.gltf"));
      expect(run.status, uri).toBe(1);
      expect(run.stderr).toMatch(/outside its (own )?folder|not found/);
    }
  });
});
