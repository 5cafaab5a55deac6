import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { afterEach, expect, test, vi } from "vitest";
import { runCli, useFolder } from "../../../test/helpers/run-cli.ts";
import { main } from "../program.ts";

const folder = useFolder();
afterEach(() => void vi.unstubAllEnvs());

test("a service stopped during its start exits, and leaves no folder", async () => {
  vi.stubEnv("TMPDIR", folder.at("."));
  const said: string[] = [];
  const stream = { write: (text: string) => said.push(text) };
  const ending = new AbortController();
  const ended = main(
    ["serve", "--api", "--port", "0"],
    { stdout: stream, stderr: stream },
    ending.signal,
  );
  // Its modules are not even loaded.
  ending.abort("SIGTERM");
  expect([await ended, said]).toEqual([0, []]);
  expect(readdirSync(folder.at("."))).toEqual([]);
});

test.skipIf(process.platform !== "linux")("opens the page in a browser with --open", async () => {
  const [browser, seen] = [folder.at("xdg-open"), folder.at("seen")];
  writeFileSync(browser, `#!/bin/sh\nprintf %s "$1" > ${seen}.tmp\nmv ${seen}.tmp ${seen}\n`);
  chmodSync(browser, 0o755);
  vi.stubEnv("PATH", `${folder.at(".")}:${process.env.PATH}`);
  const said: string[] = [];
  const stream = { write: (text: string) => said.push(text) };
  const ending = new AbortController();
  const argv = ["serve", "--api", "--port", "0", "--open"];
  const ended = main(argv, { stdout: stream, stderr: stream }, ending.signal);
  await vi.waitUntil(() => existsSync(seen), { timeout: 60_000 });
  ending.abort("SIGTERM");
  expect(await ended).toBe(0);
  expect(said.join("").trim()).toBe(readFileSync(seen, "utf8"));
});

test("reports which folder cannot be created", async () => {
  writeFileSync(folder.at("file"), "");
  for (const place of ["file", "file/below"]) {
    const { status, stderr } = await runCli(
      "serve",
      "--api",
      "--port",
      "0",
      "--folder",
      folder.at(place),
    );
    expect([status, stderr.trim()]).toEqual([
      1,
      expect.stringMatching(/^heterskin: \S+: cannot create this folder \(\w+\)\.$/),
    ]);
  }
});
