import { readdirSync, writeFileSync } from "node:fs";
import { afterEach, expect, test, vi } from "vitest";
import { runCli, useFolder } from "../../../test/helpers/run-cli.ts";
import { main } from "../program.ts";

const folder = useFolder();
afterEach(() => void vi.unstubAllEnvs());

test("a service that is told to end while it starts does so, and leaves no folder", async () => {
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

test("says which folder cannot be made", async () => {
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
