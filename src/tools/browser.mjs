// Finds a Chromium and a Firefox for the browser tests. Debian's packages are used as they are: no browser is downloaded.

import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { environment, giveUp, run, say } from "./prepare.mjs";

const chromiumNames = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];
const firefoxNames = ["firefox-esr", "firefox"];

export const withoutFirefox = "no Firefox was found (install firefox-esr, or set PILOTHOUSE_FIREFOX to the path of yours)";

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

/**
 * Sees to a Chromium, a Firefox and fonts for Chinese and Japanese, as far as it can. Path of the Chromium, which must be; what is left
 * out without one of the others is said.
 */
export async function prepareBrowsers() {
  const missing = [];
  if (findChromium() === undefined) missing.push("chromium");
  if (findFirefox() === undefined) missing.push("firefox-esr");
  if (process.platform === "linux" && !hasChineseFonts()) missing.push("fonts-noto-cjk");
  const mayInstall = process.getuid?.() === 0 && spawnSync("apt-get", ["--version"]).status === 0;
  if (missing.length > 0 && mayInstall) await install(missing);
  if (process.platform === "linux" && !hasChineseFonts())
    say("no font for Chinese was found: the browser tests run, but their screenshots show boxes");
  if (findFirefox() === undefined) say(`${withoutFirefox}: the browser tests run without it`);
  else existing("Firefox", findFirefox(), "PILOTHOUSE_FIREFOX");
  return existing("Chromium", findChromium(), "PILOTHOUSE_CHROMIUM");
}

/** Each by itself: one that cannot be had does not keep the others away. @param {readonly string[]} missing */
async function install(missing) {
  say(`installing ${missing.join(" and ")} with apt-get (once)`);
  await run("apt-get", ["update", "-qq"]);
  for (const name of missing) {
    if ((await run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", name])) !== 0)
      say(`apt-get could not install ${name}`);
  }
}

/** @param {string} name @param {string | undefined} path @param {string} variable */
function existing(name, path, variable) {
  if (path === undefined || !existsSync(path))
    giveUp(`there is no ${name} at ${path ?? "any place on the PATH"}: install one, or set ${variable} to the path of yours.`);
  return path;
}
