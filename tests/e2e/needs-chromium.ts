// Ends a run without a browser with one sentence, where Playwright would advise a download.

import { findChromium } from "../../src/tools/browser.mjs";

export default function needsChromium(): void {
  if (findChromium() === undefined)
    throw new Error("no Chromium on the PATH: install one, or set PILOTHOUSE_CHROMIUM to the path of yours");
}
