// Finds a Chromium for the browser tests. Debian's package is used as it is: no browser is downloaded.

import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { environment, giveUp, run, say } from "./prepare.mjs";

const names = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];

/** Path of a Chromium: PILOTHOUSE_CHROMIUM, or the first on the PATH. */
export function findChromium() {
  const chosen = process.env["PILOTHOUSE_CHROMIUM"];
  if (chosen) return chosen;
  for (const folder of (environment.PATH ?? "").split(delimiter)) {
    for (const name of names) if (existsSync(join(folder, name))) return join(folder, name);
  }
  return undefined;
}

function hasChineseFonts() {
  const list = spawnSync("fc-list", [":lang=zh"], { encoding: "utf8" });
  return list.status !== 0 || list.stdout.trim() !== "";
}

/** Makes sure of a Chromium and of fonts for Chinese and Japanese; says how to help where it cannot. */
export async function prepareBrowser() {
  const missing = [];
  if (findChromium() === undefined) missing.push("chromium");
  if (process.platform === "linux" && !hasChineseFonts()) missing.push("fonts-noto-cjk");
  if (missing.length > 0) {
    const isRoot = process.getuid?.() === 0;
    const hasApt = spawnSync("apt-get", ["--version"]).status === 0;
    if (isRoot && hasApt) {
      say(`installing ${missing.join(" and ")} with apt-get (once)`);
      await run("apt-get", ["update", "-qq"]);
      if ((await run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", ...missing])) !== 0) {
        giveUp(
          `apt-get could not install ${missing.join(" and ")}; install Chromium yourself and set PILOTHOUSE_CHROMIUM to its path.`,
        );
      }
    } else if (missing.includes("chromium")) {
      giveUp("the browser tests need Chromium: install it, or set PILOTHOUSE_CHROMIUM to the path of yours, and run this again.");
    } else {
      say("no font for Chinese was found: the browser tests run, but their screenshots show boxes");
    }
  }
  const path = findChromium();
  if (path === undefined || !existsSync(path))
    giveUp(`there is no Chromium at ${path ?? "any place on the PATH"}; set PILOTHOUSE_CHROMIUM to the path of yours.`);
  return path;
}
