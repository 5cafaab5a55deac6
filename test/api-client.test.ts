// Every verb of the service through a client that is generated from its OpenAPI document and compiled.

import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { readCharacter } from "../src/formats/read-character.ts";
import { createApi } from "../src/serve/api/create-api.ts";
import { createLocalRunner } from "../src/serve/api/jobs.ts";
import { API_LIMITS } from "../src/serve/api/limits.ts";
import { openApi } from "../src/serve/api/openapi.ts";
import { createPageServer } from "../src/serve/page-server.ts";
import { type ApiDocument, clientOf } from "./helpers/api-client.ts";
import { tubeGlb } from "./helpers/glb-builder.ts";
import { useFolder } from "./helpers/run-cli.ts";

const folder = useFolder();
let close: (() => Promise<void>) | undefined;
afterEach(() => close?.());

async function serve(): Promise<{ url: string; token: string }> {
  mkdirSync(folder.at("jobs"));
  const runner = createLocalRunner(1);
  const [limits, tokens] = [API_LIMITS, ["secret"]];
  const api = createApi({ folder: folder.at("jobs"), runner, limits, tokens });
  const server = createPageServer([], { api });
  await once(server.listen(0, "127.0.0.1"), "listening");
  close = async () => {
    server.closeAllConnections();
    server.close();
    await api.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, token: "secret" };
}

/** A program that uses the client; type-checked together with it. */
const PROGRAM = `
import * as api from "./client.js";

export async function finished(server: api.Server, { id }: api.Job): Promise<api.Job> {
  await api.watchJob(server, { id });
  const job = await api.getJob(server, { id });
  if (job.state !== "done") throw new Error(job.error);
  return job;
}

export async function run(server: api.Server, glb: ArrayBuffer, bare: ArrayBuffer) {
  const body = await api.uploadFile(server, { name: "body.glb" }, glb);
  const results: Record<string, ArrayBuffer | Record<string, unknown>> = {};
  const keep = async (name: string, started: api.Job) => {
    const { id } = await finished(server, started);
    results[name] = await api.getResult(server, { id });
    await api.getReport(server, { id });
  };
  const file = \`file:\${body.id}\`;
  const method = "inverse-distance" as const;
  await keep("fbx", await api.bind(server, { name: "a.glb", method, format: "fbx" }, glb));
  await keep("same", await api.bind(server, { name: "a.glb", method, format: "same" }, glb));
  await keep("csv", await api.bind(server, { name: "a.glb", method, format: "csv" }, glb));
  await keep("rigged", await api.bind(server, { name: "b.glb", method, skeleton: file }, bare));
  await keep("template", await api.bind(server, { name: "b.glb", method, skeleton: "template:snake", fit: true, motion: "idle" }, bare));
  await keep("refine", await api.refine(server, { name: "a.glb", maxInfluences: 2 }, glb));
  await keep("transfer", await api.transfer(server, { name: "b.glb", from: file }, bare));
  await keep("fix", await api.fix(server, { name: "a.glb" }, glb));
  const { jobs } = await api.listJobs(server, {});
  const { files } = await api.listFiles(server, {});
  await api.deleteFile(server, { id: body.id });
  return { results, jobs: jobs.length, files: files.length };
}
`;

test("a generated client compiles, and runs every verb", { timeout: 240_000 }, async () => {
  const source = clientOf(openApi() as ApiDocument);
  for (const [name, text] of [
    ["client.ts", source],
    ["program.ts", PROGRAM],
  ] as const) {
    writeFileSync(folder.at(name), text);
  }
  writeFileSync(folder.at("package.json"), '{ "type": "module" }');
  const options =
    "--ignoreConfig --strict --exactOptionalPropertyTypes --target es2022 --module nodenext --lib es2023,dom --types";
  const argv = [
    "node_modules/typescript/bin/tsc",
    ...options.split(" "),
    "",
    folder.at("program.ts"),
  ];
  const compiled = spawnSync(process.execPath, argv, { encoding: "utf8" });
  expect(compiled.status, compiled.stdout).toBe(0);

  const glb = tubeGlb().builder.glb();
  const bare = tubeGlb({ isBare: true }).builder.glb();
  const { run } = await import(/* @vite-ignore */ folder.at("program.js"));
  const { results, jobs, files } = await run(await serve(), ...[glb, bare].map(bufferOf));
  expect([jobs, files]).toEqual([Object.keys(results).length, 1]);
  const textOf = (name: string) => Buffer.from(results[name]).toString("latin1");
  expect(textOf("fbx")).toMatch(/^Kaydara FBX/);
  expect(textOf("csv").split("\n").length).toBeGreaterThan(10);
  for (const name of ["same", "rigged", "template", "refine", "transfer", "fix"]) {
    const bytes = new Uint8Array(results[name]);
    const { character } = await readCharacter({ name: `${name}.glb`, bytes });
    expect(character.weights, name).toBeDefined();
  }
});

test("every operation has a unique id, and every answer a schema", () => {
  const { paths } = openApi() as ApiDocument;
  const operations = Object.values(paths).flatMap(({ parameters: _, ...item }) =>
    Object.values(item),
  );
  const ids = operations.map(({ operationId }) => operationId);
  expect(ids.every(Boolean) && new Set(ids).size).toBe(ids.length);
  for (const { responses, operationId } of operations) {
    for (const { content = {} } of Object.values(responses)) {
      for (const each of Object.values(content)) expect(each.schema, operationId).toBeDefined();
    }
  }
});

function bufferOf(bytes: Uint8Array): ArrayBuffer {
  return bytes.slice().buffer as ArrayBuffer;
}
