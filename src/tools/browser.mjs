// Finds a Chromium and a Firefox for the browser tests. Debian's packages are used as they are: no browser is downloaded.

import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { environment, giveUp, run, say } from "./prepare.mjs";

const chromiumNames = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];
const firefoxNames = ["firefox-esr", "firefox"];

/** Path of a Chromium: PILOTHOUSE_CHROMIUM, or the first on the PATH. */
export function findChromium() {
  return process.env["PILOTHOUSE_CHROMIUM"] || onPath(chromiumNames);
}

/** Path of a Firefox: PILOTHOUSE_FIREFOX, or the first on the PATH. */
export function findFirefox() {
  return process.env["PILOTHOUSE_FIREFOX"] || onPath(firefoxNames);
}

/** @param {readonly string[]} names */
function onPath(names) {
  for (const folder of (environment.PATH ?? "").split(delimiter)) {
    for (const name of names) if (existsSync(join(folder, name))) return join(folder, name);
  }
  return undefined;
}

function hasChineseFonts() {
  const list = spawnSync("fc-list", [":lang=zh"], { encoding: "utf8" });
  return list.status !== 0 || list.stdout.trim() !== "";
}

/** Makes sure of both browsers and of fonts for Chinese and Japanese; says how to help where it cannot. Path of the Chromium. */
export async function prepareBrowsers() {
  const missing = [];
  if (findChromium() === undefined) missing.push("chromium");
  if (findFirefox() === undefined) missing.push("firefox-esr");
  if (process.platform === "linux" && !hasChineseFonts()) missing.push("fonts-noto-cjk");
  if (missing.length > 0) {
    const isRoot = process.getuid?.() === 0;
    const hasApt = spawnSync("apt-get", ["--version"]).status === 0;
    if (isRoot && hasApt) await install(missing);
    else if (missing.some((name) => name !== "fonts-noto-cjk")) {
      giveUp(
        "the browser tests need Chromium and Firefox: install what is missing, or set PILOTHOUSE_CHROMIUM and PILOTHOUSE_FIREFOX to the paths of yours, and run this again.",
      );
    } else say("no font for Chinese was found: the browser tests run, but their screenshots show boxes");
  }
  existing("Firefox", findFirefox(), "PILOTHOUSE_FIREFOX");
  return existing("Chromium", findChromium(), "PILOTHOUSE_CHROMIUM");
}

/** @param {readonly string[]} missing */
async function install(missing) {
  say(`installing ${missing.join(" and ")} with apt-get (once)`);
  await run("apt-get", ["update", "-qq"]);
  if ((await run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", ...missing])) === 0) return;
  giveUp(
    `apt-get could not install ${missing.join(" and ")}; install Chromium and Firefox yourself and set PILOTHOUSE_CHROMIUM and PILOTHOUSE_FIREFOX to their paths.`,
  );
}

/** @param {string} name @param {string | undefined} path @param {string} variable */
function existing(name, path, variable) {
  if (path === undefined || !existsSync(path))
    giveUp(`there is no ${name} at ${path ?? "any place on the PATH"}; set ${variable} to the path of yours.`);
  return path;
}
