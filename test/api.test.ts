import { EventEmitter, once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { request as httpRequest, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { BatchRow } from "../src/batch/journal.ts";
import { type BindJob, cancelledAnswer } from "../src/batch/pool.ts";
import type { BatchAnswer } from "../src/batch/row.ts";
import { createFarmRunner } from "../src/farm/runner.ts";
import { workFarm } from "../src/farm/work-farm.ts";
import { fileFromCharacter, readCharacter, writeCharacter } from "../src/formats/index.ts";
import { type Api, createApi } from "../src/serve/api/create-api.ts";
import type { JobView } from "../src/serve/api/job-record.ts";
import { createLocalRunner, type JobRunner } from "../src/serve/api/jobs.ts";
import { API_LIMITS, type ApiLimits, createRateLimit } from "../src/serve/api/limits.ts";
import { createPageServer } from "../src/serve/page-server.ts";
import { skin } from "../src/skin.ts";
import type { Stage } from "../src/stage-clock.ts";
import { eventually } from "./helpers/eventually.ts";
import { glbOf, tube } from "./helpers/odd-characters.ts";
import { hasRedis, startRedis } from "./helpers/redis-server.ts";
import { runCli, useFolder } from "./helpers/run-cli.ts";
import { differences, type Schema } from "./helpers/schema-differences.ts";

const folder = useFolder();
/** Makes every removal fail while it is on, like a failing disk. */
const refuseRemoval = vi.hoisted(() => ({ isOn: false }));
vi.mock("node:fs/promises", async (load) => {
  const disk = await load<typeof import("node:fs/promises")>();
  const rm: typeof disk.rm = async (...words) => {
    if (refuseRemoval.isOn) throw new Error("EIO: a disk that fails");
    return disk.rm(...words);
  };
  return { ...disk, rm };
});
let open: { api: Api; server: Server } | undefined;

afterEach(stop);
afterEach(() => void vi.restoreAllMocks());

async function stop(): Promise<void> {
  open?.server.closeAllConnections();
  open?.server.close();
  await open?.api.close();
  open = undefined;
}

interface Setting {
  runner?: JobRunner;
  limits?: Partial<ApiLimits>;
  tokens?: string[];
  requestTimeout?: number;
}

async function serve(setting: Setting = {}): Promise<string> {
  const { runner = idleRunner(), tokens = [], requestTimeout } = setting;
  const limits = { ...API_LIMITS, ...setting.limits };
  const place = folder.at("jobs");
  mkdirSync(place, { recursive: true });
  const api = createApi({ folder: place, runner, limits, tokens });
  const server = createPageServer([], { api, requestTimeout });
  open = { api, server };
  await once(server.listen(0, "127.0.0.1"), "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Jobs run until they are cancelled. */
function idleRunner(): JobRunner {
  return {
    run: (_, job, { onBegin, signal }) =>
      new Promise((resolve) => {
        onBegin();
        signal.addEventListener("abort", () => resolve(cancelledAnswer(job)));
      }),
    stop: async () => undefined,
  };
}

/** Binds nothing, and reports it. */
const doneAnswer = ({ file: { file, output } }: BindJob): BatchAnswer => {
  const row: BatchRow = { file, output, status: "done", vertices: 8, warnings: [], seconds: 1 };
  return { row, input: "", isSame: false, bytes: "", peak: 0 };
};

const post = (
  address: string,
  query: string,
  body: BodyInit = new Uint8Array(glbOf(tube())),
  headers = {},
) =>
  fetch(`${address}/api/jobs?${query}`, {
    method: "POST",
    body,
    headers,
    duplex: "half",
  } as RequestInit);
const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
const jobsLeft = () => readdirSync(folder.at("jobs"));

/** The jobs in a stream of events. */
const toldIn = (text: string): JobView[] =>
  [...text.matchAll(/^data: (.*)$/gm)].map(([, job]) => JSON.parse(job));

/** Checks an answer against the service's description of it. */
async function expectDescribed(address: string, verb: string, route: string, answer: Response) {
  const api = await (await fetch(`${address}/api/openapi.json`)).json();
  const said = api.paths[route][verb].responses[answer.status];
  expect(said, `${verb} ${route}: ${answer.status}`).toBeDefined();
  const type = answer.headers.get("content-type")?.split(";")[0];
  const types = Object.keys(said.content ?? {});
  if (type) expect(types).toContain(type);
  else expect(types).toEqual([]);
  const schema = type === "application/json" && said.content["application/json"].schema;
  if (!schema) return answer;
  const name = schema.$ref?.split("/").at(-1);
  const whole: Schema = name ? api.components.schemas[name] : schema;
  expect(differences(await answer.clone().json(), whole, "answer")).toEqual([]);
  return answer;
}

describe("the API", { timeout: 240_000 }, () => {
  test("binds a file like bind, reports its progress, and answers as described", async () => {
    const address = await serve({ runner: createLocalRunner(1) });
    const bytes = glbOf(tube());
    writeFileSync(folder.at("tube.glb"), bytes);
    const words = [folder.at("tube.glb"), folder.at("alone.glb"), "--method", "hollow"];
    await runCli("bind", ...words, "--threads", "1");
    const described = async (verb: string, route: string, answer: Response) =>
      expectDescribed(address, verb, route, answer);
    const query = "name=tube.glb&method=hollow";
    const made = await described("post", "/api/jobs", await post(address, query));
    expect(made.status).toBe(202);
    const job = `${address}${made.headers.get("location")}`;
    const events = await described("get", "/api/jobs/{id}/events", await fetch(`${job}/events`));
    const told = toldIn(await events.text());
    expect(told.map(({ stage }) => stage)).toContain("write");
    expect(told.at(-1)?.state).toBe("done");
    const seen = await described("get", "/api/jobs/{id}", await fetch(job));
    expect(await seen.json()).toEqual(told.at(-1));
    const result = await described("get", "/api/jobs/{id}/result", await fetch(`${job}/result`));
    const wanted = readFileSync(folder.at("alone.glb"));
    expect(Buffer.from(await result.arrayBuffer()).equals(wanted)).toBe(true);
    const report = await described("get", "/api/jobs/{id}/report", await fetch(`${job}/report`));
    expect((await report.json()).method).toBe("hollow");
    const bad = await (await post(address, "name=../..\\/.bad.glb", new Uint8Array(6))).json();
    await (await fetch(`${address}/api/jobs/${bad.id}/events`)).text();
    const failed = await fetch(`${address}/api/jobs/${bad.id}`);
    const { state, error, isUserError } = await failed.clone().json();
    expect([state, isUserError]).toEqual(["failed", true]);
    expect(error).toMatch(/^bad\.glb: /);
    await described("get", "/api/jobs/{id}", failed);
    expect(readdirSync(folder.at(`jobs/${bad.id}/in`))).toEqual(["bad.glb"]);
    const early = await fetch(`${address}/api/jobs/${bad.id}/result`);
    await described("get", "/api/jobs/{id}/result", early);
    expect(early.status).toBe(409);
    const metrics = await described("get", "/metrics", await fetch(`${address}/metrics`));
    expect(await metrics.text()).toContain('heterskin_jobs_ended_total{state="failed"} 1');
    await described("get", "/healthz", await fetch(`${address}/healthz`));
    await described("get", "/service.json", await fetch(`${address}/service.json`));
    await described("delete", "/api/jobs/{id}", await fetch(job, { method: "DELETE" }));
    const gone = await described("get", "/api/jobs/{id}", await fetch(job));
    expect(gone.status).toBe(404);
    expect(jobsLeft()).toEqual([bad.id]);
  });

  test("takes a mesh and a skeleton as JSON, and reads no file for an unknown client", async () => {
    const address = await serve({ runner: createLocalRunner(1) });
    const { mesh, skeleton } = tube();
    const plain = {
      mesh: { positions: [...mesh.positions], triangles: [...mesh.triangles] },
      skeleton: {
        names: skeleton.names,
        parents: [...skeleton.parents],
        positions: [...skeleton.positions],
      },
    };
    const json = { "Content-Type": "application/json" };
    const send = (body: object) => post(address, "", JSON.stringify(body), json);
    const job = await (await send({ ...plain, options: { method: "hollow" } })).json();
    await (await fetch(`${address}/api/jobs/${job.id}/events`)).text();
    const bytes = await (await fetch(`${address}/api/jobs/${job.id}/result`)).arrayBuffer();
    const { weights } = await skin(tube(), { method: "hollow", threads: 1 });
    const same = writeCharacter(fileFromCharacter(tube()), weights);
    const weightsIn = async (glb: Uint8Array) =>
      (await readCharacter({ name: "result.glb", bytes: glb })).character.weights;
    expect(await weightsIn(new Uint8Array(bytes))).toEqual(await weightsIn(same.bytes));
    const ones = Array<number>(mesh.positions.length / 3).fill(1);
    const own = { influences: 1, joints: ones, weights: ones };
    const options = { method: "hollow", keepExisting: true };
    const keeping = await (await send({ ...plain, weights: own, options })).json();
    await (await fetch(`${address}/api/jobs/${keeping.id}/events`)).text();
    const kept = await (await fetch(`${address}/api/jobs/${keeping.id}/result`)).arrayBuffer();
    expect([...(await weightsIn(new Uint8Array(kept)))!.joints]).toEqual(ones);
    const positions = { type: "f32", file: folder.at("jobs") };
    const spy = await send({ ...plain, mesh: { ...plain.mesh, positions } });
    expect(spy.status).toBe(400);
    for (const body of [
      {},
      { ...plain, options: { model: "x" } },
      { ...plain, mesh: { positions: [1], triangles: [] } },
      { ...plain, weights: null },
    ]) {
      const refused = await send(body);
      await expectDescribed(address, "post", "/api/jobs", refused);
      expect(refused.status).toBe(400);
    }
    expect(jobsLeft().sort()).toEqual([job.id, keeping.id].sort());
  });

  test.each([
    ["name=x.txt", /Name the file/],
    ["", /Name the file/],
    ["name=x.glb&smooth=-1", /smooth must be an integer from 0/],
    ["name=x.glb&method=best", /method must be one of/],
    ["name=x.glb&skeleton=/etc/passwd", /"\/etc\/passwd" is no uploaded file/],
    ["name=x.glb&like=/etc/passwd", /is no uploaded file/],
    ["name=x.glb&skeleton=file:none", /no uploaded file "none"/],
    ["name=x.glb&model=/etc/passwd", /model must be one of network, permissive, got/],
    ["name=x.glb&format=blend", /format must be one of same, glb/],
    ["name=x.glb&keepExisting=maybe", /true or false/],
  ])("refuses %j in a sentence", async (query, sentence) => {
    const address = await serve();
    const answer = await expectDescribed(address, "post", "/api/jobs", await post(address, query));
    expect(answer.status).toBe(400);
    expect((await answer.json()).error).toMatch(sentence);
    expect(jobsLeft()).toEqual([]);
  });

  test("identifies clients by token, and shows a client only its own jobs", async () => {
    const address = await serve({ tokens: ["one", "two"], limits: { quota: 2 } });
    for (const headers of [{}, bearer("three"), bearer(""), { Authorization: "one" }]) {
      const answer = await post(address, "name=x.glb", undefined, headers);
      expect(answer.status).toBe(401);
    }
    const { id } = await (await post(address, "name=x.glb", undefined, bearer("one"))).json();
    const seen = (token: string) => fetch(`${address}/api/jobs/${id}`, { headers: bearer(token) });
    expect((await seen("one")).status).toBe(200);
    expect((await seen("two")).status).toBe(404);
    expect((await fetch(`${address}/metrics`)).status).toBe(401);
    expect((await fetch(`${address}/healthz`)).status).toBe(200);
    await post(address, "name=x.glb", undefined, bearer("one"));
    const many = await post(address, "name=x.glb", undefined, bearer("one"));
    expect(many.status).toBe(429);
    expect(many.headers.get("retry-after")).toBe("1");
    expect((await post(address, "name=x.glb", undefined, bearer("two"))).status).toBe(202);
    // A cancelled job makes room for the next.
    await fetch(`${address}/api/jobs/${id}`, { method: "DELETE", headers: bearer("one") });
    expect((await post(address, "name=x.glb", undefined, bearer("one"))).status).toBe(202);
    const strange = await post(address, "name=x.glb", undefined, {
      ...bearer("two"),
      Origin: "http://elsewhere.example",
    });
    expect(strange.status).toBe(403);
  });

  test("rejects an empty token", async () => {
    for (const tokens of [[""], ["one", " "]]) {
      await expect(serve({ tokens })).rejects.toThrow(/token of the service is empty/);
    }
    for (const [token, secret] of [
      [["--token", ""], undefined],
      [[], ""],
    ] as const) {
      vi.stubEnv("HETERSKIN_TOKEN", secret);
      const { status, stderr } = await runCli("serve", "--api", "--port", "0", ...token);
      vi.unstubAllEnvs();
      expect([status, stderr]).toEqual([1, expect.stringMatching(/token/)]);
    }
  });

  test.each(["multipart/form-data; boundary=x", "text/plain", "image/png", "application/xml"])(
    "refuses a body of type %s",
    async (type) => {
      const address = await serve();
      const headers = { "Content-Type": type };
      const answer = await post(address, "name=x.glb", undefined, headers);
      await expectDescribed(address, "post", "/api/jobs", answer);
      expect(answer.status).toBe(415);
      expect(jobsLeft()).toEqual([]);
    },
  );

  test("serves only local programs if it has no tokens", async () => {
    const send = async (address: string, host: string, headers = {}) => {
      const request = httpRequest(`${address}/api/jobs`, { headers: { host, ...headers } });
      const [answer] = await once(request.end(), "response");
      answer.resume();
      return answer.statusCode;
    };
    const address = await serve();
    // A host name that an attacker points at this machine.
    expect(await send(address, "evil.example:8760")).toBe(403);
    expect(await send(address, "evil.example", { origin: "http://evil.example" })).toBe(403);
    for (const host of ["localhost:8760", "127.0.0.1", "[::1]:80"]) {
      expect(await send(address, host)).toBe(200);
    }
    await stop();
    const guarded = await serve({ tokens: ["one"] });
    expect(await send(guarded, "skin.studio.example")).toBe(401);
    expect(await send(guarded, "skin.studio.example", bearer("one"))).toBe(200);
  });

  test("lists a client's own jobs, and limits the jobs of a client", async () => {
    const runner: JobRunner = {
      run: async (_, job) => doneAnswer(job),
      stop: async () => undefined,
    };
    const limits = { clientJobs: 2, clientBytes: 5000, streams: 1 };
    const address = await serve({ runner, tokens: ["one", "two"], limits });
    const send = (token: string, bytes = 10) =>
      post(address, "name=x.glb", new Uint8Array(bytes), bearer(token));
    const ids = [await send("one"), await send("one")].map(
      async (answer) => (await answer.json()).id,
    );
    const list = async (token: string) => {
      const answer = await fetch(`${address}/api/jobs`, { headers: bearer(token) });
      await expectDescribed(address, "get", "/api/jobs", answer);
      return (await answer.json()).jobs.map(({ id }: JobView) => id);
    };
    expect(await list("one")).toEqual(await Promise.all(ids));
    expect(await list("two")).toEqual([]);
    const refused = await send("one");
    expect([refused.status, (await refused.json()).error]).toEqual([
      429,
      expect.stringMatching(/2 jobs/),
    ]);
    expect((await send("two", 6000)).status).toBe(202);
    expect((await (await send("two")).json()).error).toMatch(/too much space/);
  });

  test("limits the streams of a client", async () => {
    const address = await serve({ limits: { streams: 1 } });
    const { id } = await (await post(address, "name=x.glb")).json();
    const events = `${address}/api/jobs/${id}/events`;
    const stop = new AbortController();
    await fetch(events, { signal: stop.signal });
    expect((await fetch(events)).status).toBe(429);
    stop.abort();
    await eventually(async () => expect((await fetch(events)).status).toBe(200));
  });

  test("answers while it parses a long body", async () => {
    const address = await serve();
    const numbers = new Array(1_000_000).fill(0.123456);
    const body = JSON.stringify({ mesh: { positions: numbers, triangles: [] } });
    let isParsed = false;
    const sent = post(address, "", body, { "Content-Type": "application/json" }).then((answer) => {
      isParsed = true;
      return answer;
    });
    let answered = 0;
    while (!isParsed) {
      expect((await fetch(`${address}/healthz`)).status).toBe(200);
      answered++;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect((await sent).status).toBe(400);
    // A blocked service answers two or three: before, after, and those that were waiting.
    expect(answered).toBeGreaterThan(10);
  });

  test("refuses bodies that are too large, declared or not, and closes slow connections", async () => {
    const address = await serve({ limits: { upload: 1000, quota: 1 }, requestTimeout: 300 });
    const large = new Uint8Array(100_000);
    expect((await post(address, "name=x.glb", large)).status).toBe(413);
    const stream = new Blob([large]).stream();
    expect((await post(address, "name=x.glb", stream)).status).toBe(413);
    const slow = httpRequest(`${address}/api/jobs?name=x.glb`, { method: "POST" });
    slow.on("error", () => undefined);
    const [answer] = await Promise.all([once(slow, "response"), slow.write("glTF")]);
    expect(answer[0].statusCode).toBe(408);
    slow.destroy();
    await eventually(() => expect(jobsLeft()).toEqual([]));
    // None of them counts any more.
    expect((await post(address, "name=x.glb", new Uint8Array(10))).status).toBe(202);
  });

  test("discards a client's broken upload, and deletes results in time", async () => {
    const runner: JobRunner = {
      run: async (_, job) => cancelledAnswer(job),
      stop: async () => undefined,
    };
    const address = await serve({ runner, limits: { keep: 1, quota: 1 } });
    const broken = httpRequest(`${address}/api/jobs?name=x.glb`, { method: "POST" });
    broken.on("error", () => undefined);
    broken.write("glTF");
    await eventually(() => expect(jobsLeft()).toHaveLength(1));
    expect((await post(address, "name=x.glb")).status).toBe(429);
    broken.destroy();
    await eventually(() => expect(jobsLeft()).toHaveLength(0));
    const metrics = await (await fetch(`${address}/metrics`)).text();
    expect(metrics).not.toContain('heterskin_answers_total{status="200"}');
    const { id } = await (await post(address, "name=x.glb")).json();
    expect(existsSync(folder.at(`jobs/${id}`))).toBe(true);
    await eventually(() => expect(jobsLeft()).toHaveLength(0));
    expect((await fetch(`${address}/api/jobs/${id}`)).status).toBe(404);
  });

  test("discards a job whose client disconnected before it was told the id", async () => {
    const dropped: boolean[] = [];
    const runner: JobRunner = {
      run: (_, job, { signal }) =>
        new Promise((resolve) => {
          signal.addEventListener("abort", () => {
            dropped.push(true);
            resolve(cancelledAnswer(job));
          });
          // The upload is complete, the answer not sent yet.
          for (const socket of sockets.splice(0)) socket.destroy();
        }),
      stop: async () => undefined,
    };
    const address = await serve({ runner, limits: { quota: 1 } });
    const sockets: Socket[] = [];
    open?.server.once("connection", (socket) => sockets.push(socket));
    await expect(post(address, "name=x.glb")).rejects.toThrow();
    await eventually(() => expect(dropped).toEqual([true]));
    await eventually(() => expect(jobsLeft()).toEqual([]));
    const metrics = await (await fetch(`${address}/metrics`)).text();
    expect(metrics).toContain('heterskin_jobs{state="waiting"} 0');
    expect((await post(address, "name=x.glb")).status).toBe(202);
  });

  test("survives a result that cannot be deleted", async () => {
    const runner: JobRunner = {
      run: async (_, job) => doneAnswer(job),
      stop: async () => undefined,
    };
    const address = await serve({ runner, limits: { keep: 0.05 } });
    refuseRemoval.isOn = true;
    const { id } = await (await post(address, "name=x.glb")).json();
    await eventually(async () =>
      expect((await fetch(`${address}/api/jobs/${id}`)).status).toBe(404),
    );
    // An unhandled rejection would end the program now, and fails the run of tests.
    await new Promise((resolve) => setTimeout(resolve, 20));
    refuseRemoval.isOn = false;
  });

  test("stops following a job once no client listens, even on a reused connection", async () => {
    const address = await serve();
    const listeners = vi.spyOn(EventEmitter.prototype, "on");
    const off = vi.spyOn(EventEmitter.prototype, "off");
    const { id } = await (await post(address, "name=x.glb")).json();
    const client = connect(Number(new URL(address).port), "127.0.0.1");
    const ask = `GET /api/jobs/${id}/events HTTP/1.1\r\nHost: ${new URL(address).host}\r\n\r\n`;
    client.write(ask + ask);
    const count = (spy: { mock: { calls: unknown[][] } }) =>
      spy.mock.calls.filter(([name]) => name === "change").length;
    await eventually(() => expect(count(listeners)).toBe(2));
    client.destroy();
    await eventually(() => expect(count(off)).toBe(2));
  });

  test("reports the stages of a job as events and on request", async () => {
    const tell = new EventEmitter();
    const runner: JobRunner = {
      async run(_, job, { onBegin, onProgress }) {
        onBegin();
        tell.on("stage", (stage: Stage) => onProgress(stage, 0.5));
        await once(tell, "end");
        return doneAnswer(job);
      },
      stop: async () => undefined,
    };
    const address = await serve({ runner });
    const { id } = await (await post(address, "name=x.glb")).json();
    const events = await fetch(`${address}/api/jobs/${id}/events`);
    for (const stage of ["read", "distances"]) {
      tell.emit("stage", stage);
      const seen = await fetch(`${address}/api/jobs/${id}`);
      await expectDescribed(address, "get", "/api/jobs/{id}", seen);
      expect((await seen.json()).stage).toBe(stage);
    }
    tell.emit("end");
    const told = toldIn(await events.text());
    expect(told.map(({ state, stage, fraction }) => [state, stage, fraction])).toEqual([
      ["running", undefined, undefined],
      ["running", "read", 0.5],
      ["running", "distances", 0.5],
      ["done", undefined, undefined],
    ]);
  });

  test("knows its jobs after a restart: results are available, the rest is run or reported", async () => {
    const first = await serve({ runner: createLocalRunner(1) });
    const send = async (address: string) =>
      (await (await post(address, "name=tube.glb&method=hollow")).json()).id as string;
    const done = await send(first);
    const ask = (address: string, path: string) => fetch(`${address}/api/jobs/${path}`);
    await (await ask(first, `${done}/events`)).text();
    const [view, result] = await Promise.all([ask(first, done), ask(first, `${done}/result`)]);
    const before = [await view.text(), Buffer.from(await result.arrayBuffer())];
    await stop();
    const second = await serve();
    const [open, lost] = [await send(second), await send(second)];
    await stop();
    rmSync(folder.at(`jobs/${lost}/in`), { recursive: true });
    mkdirSync(folder.at("jobs/not-ours"));
    const third = await serve({ runner: createLocalRunner(1), limits: { quota: 1 } });
    const after = await ask(third, `${done}/result`);
    expect([await (await ask(third, done)).text(), Buffer.from(await after.arrayBuffer())]).toEqual(
      before,
    );
    expect((await (await ask(third, `${done}/report`)).json()).method).toBe("hollow");
    const gone = await (await ask(third, lost)).json();
    expect([gone.state, gone.isUserError]).toEqual(["failed", false]);
    expect(gone.error).toMatch(
      /restarted before this file was bound, and the file is gone; send it/,
    );
    // The one that was done now counts for its client.
    expect((await post(third, "name=x.glb")).status).toBe(429);
    expect(toldIn(await (await ask(third, `${open}/events`)).text()).at(-1)?.state).toBe("done");
    const bytes = Buffer.from(await (await ask(third, `${open}/result`)).arrayBuffer());
    expect(bytes.equals(before[1] as Buffer)).toBe(true);
    expect(jobsLeft().sort()).toEqual([done, open, lost, "not-ours"].sort());
  });

  test("gives up a job that crashed it three times, and deletes old results at startup", async () => {
    const address = await serve();
    const { id } = await (await post(address, "name=x.glb")).json();
    for (const isLost of [false, false, true, true]) {
      // A lost job reports no error.
      if (isLost) open?.server.close();
      else await stop();
      const again = await serve();
      expect((await (await fetch(`${again}/api/jobs/${id}`)).json()).state).toBe("running");
    }
    open?.server.close();
    const last = await serve();
    const { state, error } = await (await fetch(`${last}/api/jobs/${id}`)).json();
    expect([state, error]).toEqual([
      "failed",
      expect.stringMatching(/crashed 3 times while it bound this/),
    ]);
    await stop();
    const record = folder.at(`jobs/${id}/job.json`);
    const written = JSON.parse(readFileSync(record, "utf8"));
    written.view.expires = new Date(Date.now() - 1).toISOString();
    writeFileSync(record, JSON.stringify(written));
    await serve();
    await eventually(() => expect(jobsLeft()).toEqual([]));
  });

  test.skipIf(!hasRedis())(
    "lets a farm do the work, even one that loses its data or restarts",
    async () => {
      const kept = mkdtempSync(path.join(tmpdir(), "heterskin-redis-"));
      const redis = await startRedis(kept);
      const place = { redis: redis.url, name: "api" };
      const before = await serve({ runner: await createFarmRunner(place) });
      const { id } = await (await post(before, "name=x.glb&method=hollow")).json();
      // Neither the service nor Redis may lose the job; if one does, the other still has it.
      await stop();
      const address = await serve({ runner: await createFarmRunner(place) });
      await redis.kill();
      rmSync(path.join(kept, "appendonlydir"), { recursive: true });
      await redis.start();
      const ending = new AbortController();
      const work = workFarm(place, { jobs: 1, signal: ending.signal });
      const told = toldIn(await (await fetch(`${address}/api/jobs/${id}/events`)).text());
      expect(told.at(-1)?.state).toBe("done");
      const stages = told.flatMap(({ stage }) => stage ?? []);
      expect([...new Set(stages)]).toEqual(expect.arrayContaining(["read", "distances", "write"]));
      ending.abort();
      await work;
      await open?.api.close();
      await redis.kill();
      rmSync(kept, { recursive: true, force: true });
    },
  );
});

describe("createRateLimit", () => {
  test("allows each client a minute's worth at once, then a steady rate", () => {
    const limit = createRateLimit(60);
    for (let i = 0; i < 60; i++) limit("a", 0);
    expect(() => limit("a", 0)).toThrow(/60 per minute/);
    limit("b", 0);
    limit("a", 1000);
    expect(() => limit("a", 1000)).toThrow();
  });
});
