/**
 * Times learning from examples, and a bind with the adapted model from the cache:
 *
 *     npm run bench like-time
 *
 * Samples of about 5,000 vertices, with weights by `heat`. Build the program first (npm run build). Every run is a
 * separate process with its own cache. Writes bench/results/like-time.json.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import path from "node:path";
import { fileFromCharacter, writeCharacter } from "../src/formats/index.ts";
import { skin } from "../src/skin.ts";
import { largeCharacter } from "./large-character.ts";
import { saveJson } from "./save-results.ts";

const folder = mkdtempSync(path.join(tmpdir(), "heterskin-like-"));
const at = (name: string) => path.join(folder, name);
const EXAMPLES = ["dancer", "robot", "mushroom"];
const TRIANGLES = 10_000;
const JOINTS = 60;

async function writeRigged(name: string, sample: string, triangles: number): Promise<void> {
  const character = await largeCharacter(sample, triangles, JOINTS);
  const { weights } = await skin(character, { method: "heat" });
  writeFileSync(at(name), writeCharacter(fileFromCharacter(character), weights).bytes);
}

for (const sample of EXAMPLES) await writeRigged(`${sample}.glb`, sample, TRIANGLES);
await writeRigged("new.glb", "dancer", 8_000);

/** Runs the program; returns seconds and peak memory in MB as reported by Linux. */
function run(...argv: string[]): { seconds: number; megabytes: number } {
  const watched = `require("node:process").on("exit", () => require("node:fs").writeFileSync(${JSON.stringify(at("peak"))}, String(process.resourceUsage().maxRSS)))`;
  writeFileSync(at("watch.cjs"), watched);
  const start = performance.now();
  const { status, stderr } = spawnSync(
    process.execPath,
    ["--require", at("watch.cjs"), "bin/heterskin.js", ...argv, "--quiet"],
    { env: { ...process.env, XDG_CACHE_HOME: at("cache") } },
  );
  if (status !== 0) throw new Error(String(stderr));
  const seconds = (performance.now() - start) / 1000;
  return { seconds, megabytes: Number(readFileSync(at("peak"), "utf8")) / 1024 };
}

const like = EXAMPLES.flatMap((sample) => ["--like", at(`${sample}.glb`)]);
const hash = (name: string) =>
  createHash("sha256")
    .update(readFileSync(at(name)))
    .digest("hex");
const one = run("adapt", at("dancer.glb"), "--out", at("one.onnx"), "--no-cache");
const three = run("adapt", ...EXAMPLES.map((sample) => at(`${sample}.glb`)), "--out", at("3.onnx"));
run("bind", at("new.glb"), at("first.glb"), ...like);
const bind = (name: string, ...more: string[]) =>
  [1, 2, 3].map(() => run("bind", at("new.glb"), at(name), "--force", ...more).seconds);
const [plain, again] = [bind("plain.glb"), bind("again.glb", ...like)];
const least = (list: number[]) => Number(Math.min(...list).toFixed(2));
const results = {
  load: Number(loadavg()[0].toFixed(1)),
  one: { seconds: least([one.seconds]), megabytes: Math.round(one.megabytes) },
  three: { seconds: least([three.seconds]), megabytes: Math.round(three.megabytes) },
  bind: { plain: least(plain), likeFromCache: least(again), ratio: least(again) / least(plain) },
  sameBytes: hash("first.glb") === hash("again.glb"),
};
rmSync(folder, { recursive: true });
saveJson("like-time.json", results);
console.log(results);
