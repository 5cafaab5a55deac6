import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect } from "vitest";
import { glbOf, tube } from "./odd-characters.ts";
import { useFolder } from "./run-cli.ts";

/** Ends a process that opens a connection or looks up a name, except for an allowed local port. */
const OFFLINE = `
  const net = require("node:net"), dns = require("node:dns"), dgram = require("node:dgram");
  const refuse = (what) => () => { process.stderr.write("CONNECTS " + what + "\\n"); process.exit(99); };
  const { connect } = net.Socket.prototype;
  net.Socket.prototype.connect = function (...args) {
    const options = Array.isArray(args[0]) ? args[0][0] : args[0];
    const isAllowed = options && String(options.port) === process.env.ALLOWED_PORT;
    return isAllowed ? connect.apply(this, args) : refuse("socket")();
  };
  dgram.Socket.prototype.send = refuse("datagram");
  const { lookup } = dns;
  // A server looks up the address that it listens on.
  dns.lookup = (name, ...rest) => name === "127.0.0.1" ? lookup(name, ...rest) : refuse("dns " + name)();
`;

/** Runs commands of the built program, each with its own home and temporary folder. */
export interface OfflineRuns {
  at: (name: string) => string;
  /** Starts a command. */
  start(argv: string[], env?: Record<string, string>): ChildProcess;
  /** Runs a command to its end; returns its output, or throws if it fails. */
  run(...argv: string[]): Promise<string>;
  /** Files below the home or the temporary folder. */
  left(): string[];
}

/** Creates `home`, `tmp`, `in` and `out` for each test, with two characters `in/a.glb` and `in/b.glb`. */
export function useOfflineRuns(): OfflineRuns {
  const folder = useFolder();
  beforeEach(() => {
    for (const name of ["home", "tmp", "in", "out"]) mkdirSync(folder.at(name));
    for (const name of ["a", "b"]) writeFileSync(folder.at(`in/${name}.glb`), glbOf(tube()));
    writeFileSync(folder.at("offline.cjs"), OFFLINE);
  });
  const start: OfflineRuns["start"] = (argv, more = {}) => {
    const env = {
      PATH: process.env.PATH,
      HOME: folder.at("home"),
      TMPDIR: folder.at("tmp"),
      NODE_OPTIONS: `--require ${folder.at("offline.cjs")}`,
      ...more,
    };
    return spawn(process.execPath, ["bin/heterskin.js", ...argv], { env });
  };
  return {
    at: folder.at,
    start,
    async run(...argv) {
      const child = start(argv);
      let text = "";
      child.stdout!.on("data", (data) => (text += data));
      child.stderr!.on("data", (data) => (text += data));
      child.stdin!.end();
      const status = await new Promise((resolve) => child.on("close", resolve));
      expect([status, text]).toEqual([0, expect.any(String)]);
      return text;
    },
    left: () =>
      ["home", "tmp"].flatMap((root) =>
        readdirSync(folder.at(root), { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) =>
            path.join(root, path.relative(folder.at(root), entry.parentPath), entry.name),
          ),
      ),
  };
}

/** Compiled code, which Node keeps from 22.8 on; the documentation names its folder. */
const CODE = path.join("home", ".cache", "heterskin", "code");

/** Checks after each test that only files named in the documentation are left. */
export function expectNothingLeft({ left }: OfflineRuns, documented: RegExp = /^$/): void {
  afterEach(() => {
    const files = left().filter((file) => !file.startsWith(CODE) && !documented.test(file));
    expect(files).toEqual([]);
  });
}
