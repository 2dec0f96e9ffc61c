// How smooth the cluster picture is while hundreds of Pods come, change and go. Figures, not bars: machines differ.

import { expect, type Page, test } from "@playwright/test";
import { Lab } from "./lab.ts";

interface Frames {
  readonly perSecond: number;
  readonly longestMs: number;
}

/** Counts the frames that the page draws while something happens. */
async function framesDuring(page: Page, happening: () => Promise<void>): Promise<Frames> {
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

test("500 Pods come, are replaced and go while the page goes on drawing", async ({ page }) => {
  test.setTimeout(180_000);
  const work = new Lab(page);
  await work.open();
  const pods = page.locator("svg.cluster .pod[data-system=false]");
  const figures: string[] = [];
  const during = async (name: string, command: string, done: () => Promise<void>): Promise<void> => {
    const { perSecond, longestMs } = await framesDuring(page, async () => {
      await work.run(command);
      await done();
    });
    figures.push(`${name}: ${perSecond} frames/s, longest ${longestMs} ms`);
    expect(perSecond).toBeGreaterThan(0);
  };
  const running = page.locator("svg.cluster .pod[data-system=false] .glyph-running");
  await during("nothing", "kubectl get nodes", async () => page.waitForTimeout(2000));
  await during("500 come", "kubectl create deployment big --image=nginx:1.27 --replicas=500", async () => {
    await expect(pods).toHaveCount(500, { timeout: 120_000 });
    // Three nodes take 110 Pods each; the others wait for a place.
    await expect.poll(() => running.count(), { timeout: 120_000 }).toBeGreaterThan(300);
  });
  await during("500 go", "kubectl delete deployment big", async () => {
    await expect(pods).toHaveCount(0, { timeout: 120_000 });
  });
  console.log(figures.join("; "));
});
