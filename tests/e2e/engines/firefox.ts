// Debian's Firefox on a page of this machine. No driver comes with it and Playwright speaks to builds of its own only: the page itself says
// what came out, to the server that it is from.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findFirefox, withoutFirefox } from "../../../src/tools/browser.mjs";

/** Nothing is asked, fetched or told beside the page. */
const preferences = {
  "app.normandy.enabled": false,
  "app.update.enabled": false,
  "browser.aboutwelcome.enabled": false,
  "browser.safebrowsing.malware.enabled": false,
  "browser.safebrowsing.phishing.enabled": false,
  "browser.shell.checkDefaultBrowser": false,
  "datareporting.policy.dataSubmissionEnabled": false,
  "extensions.blocklist.enabled": false,
  "extensions.systemAddon.update.enabled": false,
  "extensions.update.enabled": false,
  "network.captive-portal-service.enabled": false,
  "network.connectivity-service.enabled": false,
  "services.settings.server": "data:,",
  "toolkit.telemetry.enabled": false,
  "toolkit.telemetry.unified": false,
};

/** Opens a page in a browser of its own; what is returned closes it. `onEnd` is called with the reason when it ends by itself. */
export function openInFirefox(url: string, onEnd: (reason: string) => void): () => void {
  const path = findFirefox();
  if (path === undefined) throw new Error(withoutFirefox);
  const profile = mkdtempSync(join(tmpdir(), "pilothouse-firefox-"));
  const lines = Object.entries(preferences).map(([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});\n`);
  writeFileSync(join(profile, "user.js"), lines.join(""));
  // A home of its own: root may not use somebody else's. A group of its own: its helpers end with it.
  const env = { ...process.env, HOME: profile };
  const child = spawn(path, ["--headless", "--no-remote", "--profile", profile, url], { detached: true, stdio: "ignore", env });
  let closed = false;
  child.on("error", ({ message }) => onEnd(message));
  child.on("exit", (code) => {
    if (!closed) onEnd(`Firefox ended with ${code}`);
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  });
  return () => {
    closed = true;
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGKILL");
  };
}
