// The lab screen around the terminal: zones, help, widths, the picture with few and with many Pods.

import { expect, type Page, test } from "@playwright/test";
import { Lab } from "./lab.test-kit.ts";
import { lesson } from "./pages.test-kit.ts";

async function openLab(page: Page): Promise<void> {
  await new Lab(page).open();
}

test("hints come one by one, the solution on demand", async ({ page }) => {
  await openLab(page);
  await page.locator(".step-tools .button").first().click();
  await expect(page.locator(".hints li")).toHaveCount(1);
  await page.getByRole("button", { name: "Voir la solution" }).click();
  await expect(page.locator(".solution pre")).toContainText("kubectl apply -f nginx-deployment.yaml");
});

test("zones fold by buttons that say so, and stay folded after a reload", async ({ page }) => {
  await openLab(page);
  const picture = page.locator(".zone-button").first();
  await expect(picture).toHaveAttribute("aria-expanded", "true");
  await picture.click();
  await expect(picture).toHaveAttribute("aria-expanded", "false");
  await expect(page.locator(".zone.picture")).toBeHidden();
  await openLab(page);
  await expect(page.locator(".zone.picture")).toBeHidden();
});

test("a step that passes has its checks ticked and says why; the next one opens below it", async ({ page }) => {
  const work = new Lab(page);
  await work.open();
  await work.type("kubectl apply -f nginx-deployment.yaml\n");
  const passed = page.locator(".step[data-fresh=true]");
  await expect(passed.locator('.ticks li[data-done="true"]').first()).toBeVisible();
  await expect(passed.locator(".why")).toContainText("Le manifeste demande trois réplicas de nginx:1.14.2.");
  await expect(passed.locator(".why details")).toContainText("Lire la suite");
  await expect(work.current.locator(".step-task")).toBeVisible();
  await expect(work.current).toContainText("Attendre la fin du rollout");
  await expect(passed.locator(".why")).toBeInViewport();
});

test("whoever wants no motion sees the next step at once", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  const work = new Lab(page);
  await work.open();
  await work.run("kubectl apply -f nginx-deployment.yaml");
  await expect(work.current.locator(".step-task")).toBeVisible();
  await expect(page.locator('.step[data-ticking="true"]')).toHaveCount(0);
});

for (const locale of ["fr", "zh", "ja", "es"] as const) {
  test(`a step with a hint and what it lacks is read without scrolling at 1440 × 900 in ${locale}`, async ({ page }) => {
    await page.setViewportSize({ width: 1440, height: 900 });
    const work = new Lab(page);
    await work.open(locale);
    await page.locator(".step-tools .button").first().click();
    await expect(page.locator(".hints li")).toHaveCount(1);
    await expect(work.missing.first()).toBeVisible();
    for (const part of [".step-title", ".step-task", ".missing", ".hints", ".step-tools"]) {
      await expect(work.current.locator(part)).toBeInViewport({ ratio: 0.99 });
    }
  });
}

test("the lab's width follows arrow keys on its divider and is remembered", async ({ page }) => {
  await openLab(page);
  const divider = page.locator("[data-lab-divider]");
  await divider.focus();
  await page.keyboard.press("ArrowLeft");
  await expect(divider).toHaveAttribute("aria-valuenow", "56");
  await page.reload();
  await expect(divider).toHaveAttribute("aria-valuenow", "56");
});

test("a passed step is said aloud", async ({ page }) => {
  const work = new Lab(page);
  await work.open();
  await work.run("kubectl apply -f nginx-deployment.yaml");
  await expect(page.locator(".workbench > [role=status]")).toContainText("Étape réussie : Créer le Deployment");
});

test("the cluster is a picture with a text alternative and a table, empty and with 30 Pods", async ({ page }) => {
  const work = new Lab(page);
  await work.open();
  await expect(page.locator("svg.cluster")).toHaveAttribute("aria-label", "4 nœuds, 0 Pods, dont 0 en cours d’exécution");
  await work.run("kubectl create deployment web --image=nginx --replicas=30");
  await expect(page.locator("svg.cluster")).toHaveAttribute("aria-label", "4 nœuds, 30 Pods, dont 30 en cours d’exécution");
  await expect(page.locator(".glyph-running")).not.toHaveCount(0);
  await page.getByRole("button", { name: "Tableau" }).click();
  const rows = page.locator(".pod-table").first().locator("tbody tr");
  await expect(rows).toHaveCount(30);
  await page.getByLabel("Pods système").check();
  await expect.poll(() => rows.count()).toBeGreaterThan(30);
});

test("a Service has lines to its endpoints, and connections pass on them", async ({ page }) => {
  const work = new Lab(page);
  await work.open();
  await work.run(
    "kubectl create deployment web --image=nginx --replicas=3; kubectl expose deployment web --port=80 --type=NodePort",
  );
  await work.run("kubectl create service clusterip nobody --tcp=80");
  const plates = page.locator(".plate[data-object]");
  await expect(plates).toHaveText([/nobody → 0/, /web → 3/]);
  await expect(page.locator(".links path")).toHaveCount(3);
  await plates.filter({ hasText: "web" }).hover();
  await expect(page.locator('.links path[data-lit="true"]')).toHaveCount(3);
  // Each stays for less than a second: whoever comes is written down.
  await page.locator(".traffic").evaluate((traffic) => {
    new MutationObserver(() => {
      for (const way of traffic.children) document.body.dataset[way.getAttribute("data-failed") === "true" ? "bad" : "good"] = "";
    }).observe(traffic, { childList: true });
  });
  await work.run(
    "curl -s 172.18.0.3:$(kubectl get svc web -o jsonpath='{.spec.ports[0].nodePort}') -o /dev/null; " +
      "kubectl exec deploy/web -- curl -s nobody",
  );
  await expect(page.locator("body[data-good][data-bad]")).toHaveCount(1);
  await expect(page.locator(".traffic > g")).toHaveCount(0);
  await page.getByRole("button", { name: "Tableau" }).click();
  const rows = page.locator(".service-table tbody tr");
  await expect(rows.nth(0)).toContainText("1, dont 1 en échec");
  await expect(rows.nth(1).locator("td").last()).toHaveText("1");
});

test("an image that does not exist, a deletion and a Pod without a place have their shapes", async ({ page }) => {
  const work = new Lab(page);
  await work.open();
  await work.run("kubectl create deployment bad --image=nginx:no-such-tag");
  await expect(page.locator("svg.cluster .glyph-imageFailed")).toHaveCount(1);
  await work.run("kubectl cordon node-1; kubectl cordon node-2; kubectl cordon node-3");
  await work.run("kubectl create deployment waits --image=nginx");
  await expect(page.locator("svg.cluster .glyph-pending")).toHaveCount(1);
  await expect(page.locator('.frame[data-unschedulable="true"]')).toHaveCount(3);
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 } });
  test("text and lab take turns, and so do the lab's zones", async ({ page }) => {
    await page.goto(`/fr/${lesson}`);
    await page.locator("[data-show=lab]").click();
    await expect(page.locator(".zone.terminal")).toBeVisible();
    await page.locator(".zone-button", { hasText: "Cluster" }).click();
    await expect(page.locator(".zone.terminal")).toBeHidden();
    await expect(page.locator("svg.cluster")).toBeVisible();
    await page.locator("[data-show=text]").click();
    await expect(page.locator("h1")).toBeVisible();
    await expect(page.locator(".workbench")).toBeHidden();
  });
});
