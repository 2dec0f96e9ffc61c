// Hundreds of Pods that come and go in an open lab, for whoever looks at how the page draws meanwhile.

import { expect } from "@playwright/test";
import type { Lab } from "./lab.test-kit.ts";

export type Happening = () => Promise<void>;

const patience = { timeout: 120_000 };

/** A Deployment of 500 replicas comes and goes; `during` is called with each part of it, by its name, and has to let it happen. */
export async function crowdComesAndGoes(work: Lab, during: (name: string, happening: Happening) => Promise<void>): Promise<void> {
  const pods = work.page.locator("svg.cluster .pod[data-system=false]");
  const running = work.page.locator("svg.cluster .pod[data-system=false] .glyph-running");
  await during("500 come", async () => {
    await work.run("kubectl create deployment big --image=nginx:1.27 --replicas=500");
    await expect(pods).toHaveCount(500, patience);
    // Three nodes take 110 Pods each; the others wait for a place.
    await expect.poll(() => running.count(), patience).toBeGreaterThan(300);
  });
  await during("500 go", async () => {
    await work.run("kubectl delete deployment big");
    await expect(pods).toHaveCount(0, patience);
  });
}
