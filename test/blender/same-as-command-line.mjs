import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { readCharacterFile } from "../../dist/src/disk/character-files.js";
import { fileFromCharacter, writeCharacter } from "../../dist/src/formats/index.js";

/** Vertex groups and files both hold 32 bits, the file rows of 8 influences at most. */
const TOLERANCE = 1e-4;

/** Checks that the command line computes the weights of the add-on for each character of a folder. */
export async function sameAsCommandLine(folder) {
  const files = readdirSync(folder).filter((file) => file.endsWith(".json"));
  let same = files.length > 0;
  for (const file of files) {
    const facts = JSON.parse(readFileSync(path.join(folder, file), "utf8"));
    const weights = await boundByCommandLine(path.join(folder, file), facts);
    const worst = Math.max(...facts.rows.map((row, v) => difference(row, weights(v))));
    const verdict = worst <= TOLERANCE ? "ok     " : "FAILED ";
    console.log(
      `${verdict} ${file.slice(0, -5)}: ${facts.rows.length} vertices, ${worst.toExponential(1)} from the command line`,
    );
    same &&= worst <= TOLERANCE;
  }
  return same;
}

async function boundByCommandLine(place, { mesh, skeleton }) {
  const character = {
    name: "character",
    mesh: {
      positions: decode(mesh.positions, Float32Array),
      triangles: decode(mesh.triangles, Uint32Array),
    },
    skeleton: {
      names: skeleton.names,
      parents: decode(skeleton.parents, Int32Array),
      positions: decode(skeleton.positions, Float32Array),
      ends: decode(skeleton.ends, Float32Array),
    },
  };
  const [from, to] = [`${place}.glb`, `${place}.out.glb`];
  const count = character.mesh.positions.length / 3;
  const blank = {
    influences: 1,
    joints: new Uint16Array(count),
    weights: new Float32Array(count).fill(1),
  };
  writeFileSync(from, writeCharacter(fileFromCharacter(character), blank, { format: "glb" }).bytes);
  const bin = new URL("../../bin/heterskin.js", import.meta.url);
  const { status } = spawnSync(
    process.execPath,
    [bin.pathname, "bind", from, to, "--all-joints", "--quiet"],
    { stdio: "inherit" },
  );
  if (status !== 0) throw new Error(`${place}: the command line could not bind it.`);
  const { weights, skeleton: joints } = (await readCharacterFile(to)).character;
  return (v) => {
    const row = {};
    for (let slot = v * weights.influences; slot < (v + 1) * weights.influences; slot++) {
      const name = joints.names[weights.joints[slot]];
      if (weights.weights[slot] > 0) row[name] = (row[name] ?? 0) + weights.weights[slot];
    }
    return row;
  };
}

function decode({ base64 }, Type) {
  const bytes = Uint8Array.from(Buffer.from(base64, "base64"));
  return new Type(bytes.buffer);
}

function difference(a, b) {
  return Math.max(
    ...[...Object.keys(a), ...Object.keys(b)].map((name) =>
      Math.abs((a[name] ?? 0) - (b[name] ?? 0)),
    ),
  );
}
