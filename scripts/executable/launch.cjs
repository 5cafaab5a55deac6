// The first code that the executable runs. It unpacks the package into a cache folder, once per version, and
// starts the program from there, or the module that this program wants to run in a process.

const sea = require("node:sea");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { createRequire } = require("node:module");

/** Folders that can hold the cache, the preferred one first; as src/files/cache-folder.ts, which is not unpacked yet. */
function cacheFolders() {
  const { HETERSKIN_CACHE, XDG_CACHE_HOME, LOCALAPPDATA } = process.env;
  const home = homeFolder();
  const usual = {
    win32: LOCALAPPDATA,
    darwin: home && path.join(home, "Library/Caches"),
  }[process.platform];
  const own = XDG_CACHE_HOME || usual || (home && path.join(home, ".cache"));
  return [
    HETERSKIN_CACHE,
    own && path.join(own, "heterskin"),
    path.join(os.tmpdir(), `heterskin-${process.getuid?.() ?? "user"}`),
  ].filter(Boolean);
}

/** The user's home; undefined for a user that the system does not know, as in some containers. */
function homeFolder() {
  try {
    return os.homedir();
  } catch {
    return undefined;
  }
}

/** Makes a folder, and refuses one in which another user could put code that this one would run. */
function ownFolder(folder) {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (!process.getuid) return;
  const { uid, mode } = fs.statSync(folder);
  if (![0, process.getuid()].includes(uid) || mode & 0o002) {
    throw new Error(`other users can write to ${folder}`);
  }
}

/** Unpacks the files under a temporary name and renames the folder, so that it is complete wherever it exists. */
function unpack(to, index) {
  const temporary = fs.mkdtempSync(`${to}-`);
  const bytes = Buffer.from(sea.getRawAsset("files"));
  let at = 0;
  const folders = new Set();
  for (const [name, size] of index.files) {
    const file = path.join(temporary, name);
    const folder = path.dirname(file);
    if (!folders.has(folder)) fs.mkdirSync(folder, { recursive: true });
    folders.add(folder);
    fs.writeFileSync(file, bytes.subarray(at, at + size));
    at += size;
  }
  try {
    fs.renameSync(temporary, to);
  } catch (error) {
    fs.rmSync(temporary, { recursive: true, force: true });
    // Another process was faster.
    if (!fs.existsSync(to)) throw error;
  }
}

function unpacked() {
  const index = JSON.parse(sea.getAsset("index", "utf8"));
  let failure;
  for (const folder of cacheFolders()) {
    const to = path.join(folder, index.key);
    try {
      ownFolder(folder);
      if (!fs.existsSync(to)) unpack(to, index);
      return fs.realpathSync(to);
    } catch (error) {
      failure = error;
    }
  }
  throw new Error(
    `heterskin: no folder can be written to unpack the program (${failure.message}).`,
  );
}

const root = unpacked();
process.env.HETERSKIN_EXECUTABLE = process.execPath;
// A module of this package in place of a command: a worker process, started as Node would start it.
const [, , asked = ""] = process.argv;
const isModule = path.isAbsolute(asked) && /\.js$/.test(asked) && asked.startsWith(root + path.sep);
if (isModule) process.argv.splice(1, 1);
else process.argv[1] = path.join(root, "bin/heterskin.js");
createRequire(path.join(root, "start.cjs"))("./start.cjs")(process.argv[1]);
