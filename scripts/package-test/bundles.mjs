import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { run } from "./run.mjs";

/** A page that binds the file next to it with the network. */
const MAIN = `import { skin } from "heterskin";
import { readCharacter } from "heterskin/io";

const fetched = async (name) => new Uint8Array(await (await fetch(name)).arrayBuffer());

globalThis.bind = async (options) => {
  const { character } = await readCharacter({ name: "fox.glb", bytes: await fetched("fox.glb") });
  const model = await fetched("heterskin.onnx");
  const { method, weights } = await skin(character, { model, ...options });
  return { method, joints: [...weights.joints], weights: [...weights.weights] };
};
`;

const PAGE = (script) =>
  `<!doctype html><title>test</title><script type="module" src="${script}"></script>\n`;

/** Bundlers by name: the command of a build without settings, and the files that users copy themselves. */
const BUNDLERS = {
  vite: { packages: ["vite"], args: ["vite", "build", "--outDir", "vite"], copied: [] },
  esbuild: {
    packages: ["esbuild"],
    args: ["esbuild", "src/main.js", "--bundle", "--format=esm", "--outfile=esbuild/main.js"],
    // esbuild does not copy files that scripts refer to.
    copied: ["ort-wasm-simd-threaded.wasm", "ort-wasm-simd-threaded.asyncify.wasm"],
  },
  webpack: {
    packages: ["webpack@5", "webpack-cli"],
    args: ["webpack", "--mode", "production", "--entry", "./src/main.js", "-o", "webpack"],
    copied: [],
  },
};

/** Builds the page with every bundler; returns the folder of each. */
export function buildBundles(project, character) {
  mkdirSync(path.join(project, "src"), { recursive: true });
  writeFileSync(path.join(project, "src/main.js"), MAIN);
  writeFileSync(path.join(project, "index.html"), PAGE("/src/main.js"));
  const packages = Object.values(BUNDLERS).flatMap((bundler) => bundler.packages);
  run(project, "npm", ["install", "--no-audit", "--no-fund", "--save-dev", ...packages]);
  return Object.entries(BUNDLERS).map(([name, { args, copied }]) => {
    const said = run(project, "npx", args);
    if (/not found|could not|critical dependency/i.test(said)) throw new Error(`${name}: ${said}`);
    const folder = path.join(project, name);
    if (name !== "vite") writeFileSync(path.join(folder, "index.html"), PAGE("./main.js"));
    const shipped = path.join(project, "node_modules/heterskin");
    for (const file of copied) cpSync(path.join(shipped, "runtime", file), path.join(folder, file));
    cpSync(path.join(shipped, "models/heterskin.onnx"), path.join(folder, "heterskin.onnx"));
    cpSync(character, path.join(folder, "fox.glb"));
    return { name, folder };
  });
}
