// How smooth the cluster picture is while hundreds of Pods come and go. Figures, not bars: machines differ.

import { expect, type Page, test } from "@playwright/test";
import { crowdComesAndGoes, type Happening } from "./crowd.ts";
import { Lab } from "./lab.ts";

interface Frames {
  readonly perSecond: number;
  readonly longestMs: number;
}

/** Counts the frames that the page draws while something happens. */
async function framesDuring(page: Page, happening: Happening): Promise<Frames> {
  await page.evaluate(() => {
    const gaps: number[] = [];
    let last = performance.now();
    const frame = (now: number): void => {
      gaps.push(now - last);
      last = now;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
    Object.assign(window, { frameGaps: gaps });
  });
  await happening();
  const gaps = await page.evaluate(() => (window as Window & { frameGaps?: readonly number[] }).frameGaps ?? []);
  const totalMs = gaps.reduce((sum, gap) => sum + gap, 0);
  return { perSecond: Math.round((gaps.length * 1000) / totalMs), longestMs: Math.round(Math.max(...gaps)) };
}

test("500 Pods come and go while the page goes on drawing", async ({ page }) => {
  test.setTimeout(180_000);
  const work = new Lab(page);
  await work.open();
  const figures: string[] = [];
  const during = async (name: string, happening: Happening): Promise<void> => {
    const { perSecond, longestMs } = await framesDuring(page, happening);
    figures.push(`${name}: ${perSecond} frames/s, longest ${longestMs} ms`);
    expect(perSecond).toBeGreaterThan(0);
  };
  await during("nothing", async () => {
    await work.run("kubectl get nodes");
    await page.waitForTimeout(2000);
  });
  await crowdComesAndGoes(work, during);
  console.log(figures.join("; "));
});
