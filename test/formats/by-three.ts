import { readFileSync } from "node:fs";
import path from "node:path";
import { chromium } from "playwright-core";
import type { Reading } from "./inventory.ts";

const ORIGIN = "http://three.test/";

const PAGE = `<script type="importmap">{"imports":{"three":"/build/three.module.js","three/addons/":"/examples/jsm/"}}</script>
<script type="module">
import * as THREE from "three";
import { FBXLoader } from "three/addons/loaders/FBXLoader.js";
import { ColladaLoader } from "three/addons/loaders/ColladaLoader.js";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
const clipsOf = (scene, animations) => (animations ?? scene.animations ?? []).filter((clip) => clip.tracks.length > 0);
window.readFile = async (url) => {
  const bytes = await (await fetch(url)).arrayBuffer();
  let scene, animations;
  if (/\\.fbx$/i.test(url)) scene = new FBXLoader().parse(bytes, "/none/");
  else if (/\\.dae$/i.test(url)) ({ scene } = new ColladaLoader().parse(new TextDecoder().decode(bytes), "/none/"));
  else ({ scene, animations } = await new GLTFLoader().parseAsync(bytes, "/none/"));
  const meshes = [], cameras = [], lights = [];
  scene.traverse((object) => {
    if (object.isMesh) meshes.push(object);
    if (object.isCamera) cameras.push(object);
    if (object.isLight && !object.isAmbientLight) lights.push(object);
  });
  const triangles = meshes.map(({ geometry }) => (geometry.index ?? geometry.getAttribute("position")).count / 3);
  const shapes = meshes.map(({ geometry }) => geometry.morphAttributes.position?.length ?? 0);
  return {
    triangles: triangles.reduce((a, b) => a + b, 0),
    materials: new Set(meshes.flatMap((m) => [m.material].flat().map((x) => x.name))).size,
    shapes: Math.max(0, ...shapes),
    takes: clipsOf(scene, animations).length,
    cameras: cameras.length,
    lights: lights.length,
  };
};
window.isReady = true;
</script>`;

/** Counts what three's loaders find in files, in a real browser. */
export async function byThree(browserPath: string, files: string[]): Promise<Map<string, Reading>> {
  const browser = await chromium.launch({ executablePath: browserPath, args: ["--no-sandbox"] });
  const readings = new Map<string, Reading>();
  try {
    const page = await browser.newPage();
    await page.route("**/*", (route) => {
      const { pathname } = new URL(route.request().url());
      const file = /^\/file\/(\d+)\//.exec(pathname);
      if (pathname === "/") return route.fulfill({ contentType: "text/html", body: PAGE });
      if (file) return route.fulfill({ body: readFileSync(files[Number(file[1])]) });
      if (!/^\/(?:build|examples)\//.test(pathname)) return route.fulfill({ status: 404 });
      const code = readFileSync(path.join("node_modules/three", pathname));
      return route.fulfill({ contentType: "text/javascript", body: code });
    });
    await page.goto(ORIGIN);
    await page.waitForFunction("window.isReady");
    for (const [index, file] of files.entries()) {
      const url = `/file/${index}/x${path.extname(file)}`;
      const read = await page
        .evaluate(`window.readFile(${JSON.stringify(url)})`)
        .then((inventory) => ({ inventory: inventory as Record<string, number> }))
        .catch((error: Error) => ({ error: error.message.split("\n")[0].slice(0, 120) }));
      readings.set(file, read);
    }
  } finally {
    await browser.close();
  }
  return readings;
}
