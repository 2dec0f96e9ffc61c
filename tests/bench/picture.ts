// How many frames a second the browser draws while the cluster picture shows hundreds of Pods coming and going, by the browser's own trace:
// frames that were drawn, not frames that were asked for. A dot that moves with every frame has the browser draw at its full rate, so that a
// frame that is missing was missed.

import type { Browser, Page } from "@playwright/test";
import { crowdComesAndGoes } from "../e2e/crowd.test-kit.ts";
import { Lab } from "../e2e/lab.test-kit.ts";
import { lesson } from "../e2e/pages.test-kit.ts";
import { asNewReader, type TraceEvent, traceOf, withBuiltSite } from "./browser.ts";
import { type Figure, medianOf } from "./figures.ts";

const frames = "disabled-by-default-devtools.timeline.frame";
const floor = 50;
const microsecondsPerSecond = 1_000_000;

export async function benchPicture(): Promise<readonly Figure[]> {
  return withBuiltSite(({ origin, browser }) =>
    asNewReader(browser, async (page) => {
      const work = new Lab(page);
      await page.goto(`${origin}/fr/${lesson}`);
      await work.begin();
      await moveDot(page);
      const still = await figuresDuring("nothing happens", browser, page, () => page.waitForTimeout(3000));
      // At ten times the clock's speed: ten times as much moves in a second.
      await page.locator(".speeds button").nth(1).click();
      await work.focus();
      const moving = await figuresDuring("500 Pods come and go, at 10×", browser, page, () =>
        crowdComesAndGoes(work, (_, happening) => happening()),
      );
      return [...still, ...moving];
    }),
  );
}

async function figuresDuring(
  name: string,
  browser: Browser,
  page: Page,
  happening: () => Promise<void>,
): Promise<readonly Figure[]> {
  const trace = await traceOf(browser, page, ["-*", frames], happening);
  const drawn = secondsOf("DrawFrame", trace);
  return [
    { name: `${name}: frames drawn a second, median of ${drawn.length} seconds`, value: medianOf(drawn), unit: "fps", floor },
    { name: `${name}: frames drawn in the worst second`, value: Math.min(...drawn), unit: "fps" },
    { name: `${name}: frames dropped`, value: secondsOf("DroppedFrame", trace).reduce((sum, count) => sum + count, 0), unit: "" },
  ];
}

/** How many events of a name each whole second of the trace holds. */
function secondsOf(name: string, trace: readonly TraceEvent[]): readonly number[] {
  const times = trace.filter((event) => event.name === "DrawFrame" || event.name === "DroppedFrame").map(({ ts }) => ts);
  const start = Math.min(...times);
  const counts = new Array<number>(Math.floor((Math.max(...times) - start) / microsecondsPerSecond)).fill(0);
  if (counts.length === 0) throw new Error(`a trace of ${times.length} frames is too short to count frames a second`);
  for (const event of trace) {
    const second = Math.floor((event.ts - start) / microsecondsPerSecond);
    if (event.name === name && second < counts.length) counts[second] = (counts[second] ?? 0) + 1;
  }
  return counts;
}

/** Changes something with every frame for as long as the page is open. */
async function moveDot(page: Page): Promise<void> {
  await page.evaluate(() => {
    const dot = document.createElement("div");
    dot.style.cssText = "position: fixed; inset: 0 auto auto 0; width: 2px; height: 2px; background: gray; pointer-events: none";
    document.body.append(dot);
    let count = 0;
    const move = (): void => {
      dot.style.left = `${count++ % 2}px`;
      requestAnimationFrame(move);
    };
    requestAnimationFrame(move);
  });
}
