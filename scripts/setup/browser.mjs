import { existsSync } from "node:fs";
import path from "node:path";
import { aptInstall, canInstall } from "./apt-install.mjs";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];

const PLACES = [
  "/usr/bin/chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
];

const HOW_TO =
  "the tests in a browser need Chromium: install it (Debian and Ubuntu: apt-get install chromium; " +
  "macOS: brew install --cask chromium) or set CHROMIUM to the path of a Chrome or Chromium.";

/** Returns the path of Chromium or Chrome on this machine, or undefined. */
export function findBrowser() {
  const { CHROMIUM, PATH = "" } = process.env;
  if (CHROMIUM) return existsSync(CHROMIUM) ? CHROMIUM : undefined;
  const inPath = PATH.split(path.delimiter).flatMap((folder) =>
    NAMES.map((name) => path.join(folder, process.platform === "win32" ? `${name}.exe` : name)),
  );
  return [...inPath, ...PLACES].find((file) => existsSync(file));
}

/** Ensures that a browser for the tests is available; installs it if that needs no prompt. */
export function ensureBrowser() {
  const { CHROMIUM } = process.env;
  const found = findBrowser();
  if (CHROMIUM && !found) throw new Error(`CHROMIUM is ${CHROMIUM}, which does not exist.`);
  if (found) return `browser: ${found}`;
  if (!canInstall()) throw new Error(HOW_TO);
  console.log("browser: installing Chromium (apt-get)");
  const failure = `apt-get could not install Chromium; ${HOW_TO}`;
  aptInstall(["chromium"], failure);
  const installed = findBrowser();
  if (!installed) throw new Error(failure);
  return `browser: ${installed}`;
}
