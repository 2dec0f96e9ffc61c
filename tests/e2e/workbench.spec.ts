// The lab screen with a scripted session: zones, terminal, steps, clock.

import { expect, type Page, test } from "@playwright/test";
import { lesson } from "./pages.ts";

async function openLab(page: Page): Promise<void> {
  await page.goto(`/fr/${lesson}`);
  await page.locator("[data-lab] [data-open-lab]").click();
  await expect(page.locator(".nodes-ready")).toBeVisible();
}

test("opening the lab puts the keyboard into the terminal; Esc Esc gives it back", async ({ page }) => {
  await openLab(page);
  await page.keyboard.type("kubectl get nodes");
  await page.keyboard.press("Enter");
  await expect(page.locator(".xterm-rows")).toContainText("v1.36.0");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("tab", { name: "Terminal 1" })).toBeFocused();
});

test("terminals open in tabs and close again", async ({ page }) => {
  await openLab(page);
  await page.getByRole("button", { name: "Nouveau terminal" }).click();
  await expect(page.getByRole("tab")).toHaveCount(2);
  await expect(page.getByRole("tab", { name: "Terminal 2" })).toHaveAttribute("aria-selected", "true");
  await page.getByRole("button", { name: /^Fermer.*Terminal 2$/ }).click();
  await expect(page.getByRole("tab")).toHaveCount(1);
});

test("a passed step is marked, said aloud and kept", async ({ page }) => {
  await openLab(page);
  await expect(page.locator(".step[data-state=current]")).toContainText("Changer d’image");
  await page.evaluate(() =>
    document
      .querySelector("[data-run-block]")
      ?.closest("figure")
      ?.querySelector("pre code")
      ?.replaceChildren("kubectl set image deployment/web nginx=nginx:1.27"),
  );
  await page.locator("[data-run-block]").first().click();
  await expect(page.locator(".workbench > [role=status]")).toContainText("Étape réussie : Changer d’image");
  await expect(page.locator(".step[data-state=passed]")).toHaveCount(2);
  const kept: unknown = await page.evaluate(() => JSON.parse(localStorage.getItem("pilothouse.progress") ?? "{}"));
  expect(kept).toMatchObject({ lessons: { "deployment-create": { steps: ["step-0", "step-1"] } } });
});

test("hints come one by one, the solution on demand", async ({ page }) => {
  await openLab(page);
  await page.locator(".step-tools .button").first().click();
  await expect(page.locator(".hints li")).toHaveCount(1);
  await page.getByRole("button", { name: "Voir la solution" }).click();
  await expect(page.locator(".solution pre")).toContainText("kubectl set image");
});

test("zones fold and stay folded after a reload", async ({ page }) => {
  await openLab(page);
  await page.locator(".zone-button").first().click();
  await expect(page.locator(".zone.picture")).toBeHidden();
  await openLab(page);
  await expect(page.locator(".zone.picture")).toBeHidden();
});

test("the lab's width follows arrow keys on its divider and is remembered", async ({ page }) => {
  await openLab(page);
  const divider = page.locator("[data-lab-divider]");
  await divider.focus();
  await page.keyboard.press("ArrowLeft");
  await expect(divider).toHaveAttribute("aria-valuenow", "52");
  await page.reload();
  await expect(divider).toHaveAttribute("aria-valuenow", "52");
});

test("time can be paused, sped up and skipped", async ({ page }) => {
  await openLab(page);
  await page.getByRole("button", { name: "Mettre en pause" }).click();
  await expect(page.getByRole("button", { name: "Reprendre" })).toHaveAttribute("aria-pressed", "true");
  await page.getByRole("button", { name: "10×" }).click();
  await expect(page.getByRole("button", { name: "10×" })).toHaveAttribute("aria-pressed", "true");
  const time = page.locator(".virtual-time");
  const before = Date.parse((await time.getAttribute("datetime")) ?? "");
  await page.getByRole("button", { name: "Laisser passer" }).click();
  await page.getByRole("button", { name: "5 min" }).click();
  const after = Date.parse((await time.getAttribute("datetime")) ?? "");
  expect(after - before).toBeGreaterThanOrEqual(300_000);
});

test("a reset asks first", async ({ page }) => {
  await openLab(page);
  await page.locator(".bench-tools .button").click();
  await expect(page.getByRole("alertdialog")).toContainText("Réinitialiser le TP depuis le début");
  await page.getByRole("button", { name: "Annuler" }).click();
  await expect(page.getByRole("alertdialog")).toHaveCount(0);
});

test("the cluster is a picture with a text alternative and a table", async ({ page }) => {
  await openLab(page);
  await expect(page.locator("svg.cluster")).toHaveAttribute("aria-label", "4 nœuds, 12 Pods, dont 4 en marche");
  await page.getByRole("button", { name: "Tableau" }).click();
  await expect(page.locator(".pod-table tbody tr")).toHaveCount(12);
  await page.getByLabel("Pods système").check();
  await expect(page.locator(".pod-table tbody tr")).toHaveCount(16);
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
