// The service under 200 clients at once, some of them misbehaving: run by `npm run test:farm`. Build the program
// first.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { Agent, request as httpRequest, type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { glbOf, tube } from "../helpers/odd-characters.ts";

const CLIENTS = 200;
const ROUNDS = 4;
const SHAPES = 10;
const METHOD = "hollow";
/** Additional open descriptors allowed at the end, such as kept-alive connections. */
const SPARE_DESCRIPTORS = 12;
/** Allowed growth of memory in bytes from the second round to the last; the first fills caches. */
const SPARE_MEMORY = 48 * 2 ** 20;
const root = mkdtempSync(path.join(tmpdir(), "heterskin-load-"));
const at = (name: string) => path.join(root, name);
const say = (text: string) => console.log(`${(performance.now() / 1000).toFixed(0)} s: ${text}`);

mkdirSync(at("in"));
const large = glbOf(tube(300, 60, 20));
writeFileSync(at("in/large.glb"), large);
const shapes = Array.from({ length: SHAPES }, (_, i) => glbOf(tube(6 + i, 8, 2 + (i % 5))));
shapes.forEach((bytes, i) => {
  writeFileSync(at(`in/${i}.glb`), bytes);
});
const words = ["batch", at("in"), at("ref"), "--method", METHOD, "--jobs", "2", "--quiet"];
spawnSync(process.execPath, ["bin/heterskin.js", ...words], { stdio: "inherit" });
const wanted = (name: string) => readFileSync(at(`ref/${name}.glb`));

const options = ["--folder", at("jobs"), "--token", "right", "--jobs", "2", "--port", "0"];
const limits = [
  "--quota",
  "1000",
  "--rate",
  "1000000",
  "--max-upload",
  "2",
  "--upload-timeout",
  "3",
];

/** Starts the service on the folder of jobs. */
async function start() {
  const argv = ["bin/heterskin.js", "serve", "--api", ...options, ...limits];
  const server = spawn(process.execPath, argv, { stdio: ["ignore", "pipe", "inherit"] });
  const address = `${(await once(server.stdout, "data"))[0]}`.trim().replace(/\/$/, "");
  return { server, address };
}

let { server, address } = await start();
process.on("exit", () => server.kill());
const HEADERS = { Authorization: "Bearer right" };
// Separate connections, like separate clients.
const agent = new Agent({ keepAlive: false, maxSockets: Infinity });

/** Sends a request; the body of the answer is not read yet. */
function ask(
  verb: string,
  place: string,
  { body, headers = HEADERS }: { body?: Uint8Array; headers?: Record<string, string> } = {},
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(`${address}${place}`, { method: verb, headers, agent }, resolve);
    sent.on("error", reject);
    sent.end(body);
  });
}

async function read(answer: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of answer) parts.push(part);
  return Buffer.concat(parts);
}

const upload = async (name: string, body: Uint8Array) => {
  const answer = await ask("POST", `/api/jobs?name=${name}.glb&method=${METHOD}`, { body });
  const text = `${await read(answer)}`;
  assert.equal(answer.statusCode, 202, text);
  return JSON.parse(text).id as string;
};

let accepted = 0;

/** Follows a job, and compares its result. */
async function expectDone(id: string, name: string): Promise<void> {
  const events = await ask("GET", `/api/jobs/${id}/events`);
  assert.match(`${await read(events)}`, /"state":"done"/);
  const result = await read(await ask("GET", `/api/jobs/${id}/result`));
  assert.ok(result.equals(wanted(name)), `${name} differs`);
}

/** Sends a file, follows the job, and compares the result. */
async function goodClient(index: number): Promise<void> {
  const name = `${index % SHAPES}`;
  const id = await upload(name, shapes[index % SHAPES]);
  accepted++;
  await expectDone(id, name);
  if (index % 4 === 1) assert.equal((await ask("DELETE", `/api/jobs/${id}`)).statusCode, 204);
}

async function wrongToken(): Promise<void> {
  const headers = { Authorization: "Bearer wrong" };
  const answer = await ask("POST", "/api/jobs?name=x.glb", { body: shapes[0], headers });
  await read(answer);
  assert.equal(answer.statusCode, 401);
}

async function largeUpload(): Promise<void> {
  const answer = await ask("POST", "/api/jobs?name=x.glb", { body: new Uint8Array(3 * 2 ** 20) });
  await read(answer);
  assert.equal(answer.statusCode, 413);
}

/** Sends the start of a file and then nothing. */
async function slowUpload(): Promise<void> {
  const place = `${address}/api/jobs?name=x.glb`;
  const sent = httpRequest(place, { method: "POST", headers: HEADERS, agent });
  sent.on("error", () => undefined);
  sent.write("glTF");
  const [answer] = await once(sent, "response");
  await read(answer);
  assert.equal(answer.statusCode, 408);
}

async function abortedUpload(): Promise<void> {
  const place = `${address}/api/jobs?name=x.glb`;
  const sent = httpRequest(place, { method: "POST", headers: HEADERS, agent });
  sent.on("error", () => undefined);
  await new Promise((resolve) => sent.write(large.subarray(0, 100_000), resolve));
  sent.destroy();
}

/** Disconnects as soon as there is an answer. */
const abortedDownload = (id: string, part: string) => async () => {
  const answer = await ask("GET", `/api/jobs/${id}/${part}`);
  answer.on("error", () => undefined);
  answer.destroy();
};

/** Waits for a condition that becomes true soon, if at all. */
async function until(what: string, isTrue: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await isTrue()); tries++) {
    assert.ok(tries < 100, `there are too many ${what}`);
    await pause(100);
  }
}

async function metric(name: string): Promise<number> {
  const text = `${await read(await ask("GET", "/metrics"))}`;
  return Number(new RegExp(`^${name.replace(/[{}"]/g, "\\$&")} (\\d+)`, "m").exec(text)?.[1]);
}

const id = await upload("large", large);
accepted++;
await expectDone(id, "large");
const rude = [
  wrongToken,
  largeUpload,
  slowUpload,
  abortedUpload,
  abortedDownload(id, "result"),
  abortedDownload(id, "report"),
];
const descriptors = await metric("process_open_fds");
const memory: number[] = [];
for (let round = 0; round < ROUNDS; round++) {
  const clients = Array.from({ length: CLIENTS }, (_, i) =>
    i % 2 ? goodClient(i) : rude[(i / 2) % rude.length](),
  );
  await Promise.all(clients);
  await until("descriptors", async () => {
    return (await metric("process_open_fds")) <= descriptors + SPARE_DESCRIPTORS;
  });
  memory.push(await metric("process_resident_memory_bytes"));
  say(`round ${round + 1}: ${accepted} jobs, ${(memory[round] / 2 ** 20).toFixed(0)} MB`);
}
assert.equal(await metric('heterskin_jobs_ended_total{state="done"}'), accepted);
assert.equal(await metric('heterskin_jobs{state="waiting"}'), 0);
const kept = await metric('heterskin_jobs{state="done"}');
assert.ok(kept > CLIENTS / 8);
await until("folders of jobs", async () => readdirSync(at("jobs")).length === kept);
const growth = memory[ROUNDS - 1] - memory[1];
assert.ok(growth < SPARE_MEMORY, `grown by ${growth} bytes`);
// Killed or shut down during work: in both cases the next service completes the accepted jobs.
const open: [string, string][] = [];
for (const signal of ["SIGKILL", "SIGTERM"] as const) {
  for (let i = 0; i < SHAPES; i++) open.push([await upload(`${i}`, shapes[i]), `${i}`]);
  server.kill(signal);
  const [code] = (await once(server, "exit")) as [number | null];
  if (signal === "SIGTERM") assert.equal(code, 0);
  ({ server, address } = await start());
  await expectDone(id, "large");
}
await Promise.all(open.map(([job, name]) => expectDone(job, name)));
assert.equal(await metric('heterskin_jobs{state="done"}'), kept + open.length);
server.kill("SIGTERM");
await once(server, "exit");
rmSync(root, { recursive: true });
say("no restart lost a job, and nothing is left open");
