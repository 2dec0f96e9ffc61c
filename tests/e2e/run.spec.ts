// The run of a lab as a whole: going back in it, taking it away, bringing one in, holding an exam.

import { readFile } from "node:fs/promises";
import { expect, type Page, test } from "@playwright/test";
import { Lab } from "./lab.test-kit.ts";
import { capstone, lesson } from "./pages.test-kit.ts";

const backMenu = (page: Page) => page.getByRole("button", { name: "Revenir en arrière" });
const more = async (page: Page, item: string): Promise<void> => {
  await page.getByRole("button", { name: "Autres actions" }).click();
  await page.locator("#more-menu").getByRole("button", { name: item }).click();
};

test("goes back to before a command, by keyboard, and returns from there", async ({ page }) => {
  const work = new Lab(page);
  await work.open();
  await work.run("kubectl apply -f nginx-deployment.yaml");
  await work.run("kubectl rollout status deployment/nginx-deployment");
  // A step that passes after the way back ends the notice: it must have passed before.
  await expect(page.locator(".step[data-state=passed]")).toHaveCount(2);
  await work.run("kubectl delete deployment nginx-deployment");
  await backMenu(page).focus();
  await page.keyboard.press("Enter");
  await expect(page.locator("#back-menu .moment code")).toHaveText([
    "kubectl delete deployment nginx-deployment",
    "kubectl rollout status deployment/nginx-deployment",
    "kubectl apply -f nginx-deployment.yaml",
  ]);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  const notice = page.locator(".run-notice");
  await expect(notice).toContainText("kubectl delete deployment nginx-deployment");
  await work.ready();
  await work.run("kubectl get deployments -o name");
  expect(await work.lines()).toContain("deployment.apps/nginx-deployment");
  await notice.getByRole("button", { name: "Annuler" }).click();
  await work.ready();
  await work.run("kubectl get deployments -o name");
  expect(await work.lines()).not.toContain("deployment.apps/nginx-deployment");
});

test("resets a step to its opening and keeps the points that a hint took", async ({ page }) => {
  const work = new Lab(page);
  await work.open();
  await work.run("kubectl apply -f nginx-deployment.yaml");
  await expect(page.locator(".step[data-state=passed]")).toHaveCount(1);
  await work.current.getByRole("button", { name: "Un indice" }).click();
  await work.focus();
  await work.run("kubectl rollout status deployment/nginx-deployment");
  await expect(page.locator(".steps-score")).toContainText("19 sur 60");
  await work.run("kubectl delete service kubernetes");
  await work.current.getByRole("button", { name: "Recommencer l’étape" }).click();
  await work.ready();
  await expect(page.locator(".step[data-state=passed]")).toHaveCount(2);
  await expect(page.locator(".steps-score")).toContainText("19 sur 60");
});

test("a run goes to another browser as a file; other files change nothing and say why", async ({ page, browser }) => {
  const work = new Lab(page);
  await work.open();
  await work.run("kubectl apply -f nginx-deployment.yaml");
  await expect(page.locator(".step[data-state=passed]")).toHaveCount(1);
  const download = page.waitForEvent("download");
  await more(page, "Exporter ce TP");
  const text = await readFile(await (await download).path(), "utf8");
  const there = await (await browser.newContext()).newPage();
  const other = new Lab(there);
  await other.open();
  const choose = (content: string) =>
    there
      .locator("input[type=file]")
      .setInputFiles({ name: "lab.json", mimeType: "application/json", buffer: Buffer.from(content) });
  await choose("{");
  await expect(there.locator(".run-notice")).toContainText("corrompu");
  await choose("{}");
  await expect(there.locator(".run-notice")).toContainText("ne contient pas de TP");
  await expect(there.locator(".step[data-state=passed]")).toHaveCount(0);
  await choose(text);
  await expect(there.locator(".step[data-state=passed]")).toHaveCount(1);
  await there.context().close();
});

test("a link opens the lab and asks before it takes the place of what is there", async ({ page, context, browser }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const work = new Lab(page);
  await work.open();
  await work.run("kubectl apply -f nginx-deployment.yaml");
  await expect(page.locator(".step[data-state=passed]")).toHaveCount(1);
  await more(page, "Copier un lien vers ce TP");
  await expect(page.locator(".run-notice")).toContainText("Lien copié");
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const there = await (await browser.newContext()).newPage();
  await there.goto(link);
  await expect(there.locator(".run-notice")).toContainText("Ce lien contient un TP déjà commencé");
  await there.getByRole("button", { name: "Ouvrir", exact: true }).click();
  await expect(there.locator(".step[data-state=passed]")).toHaveCount(1);
  expect(there.url()).not.toContain("#lab=");
  await there.context().close();
});

test("an exam counts the time down, helps with nothing, and tells its result", async ({ page }) => {
  const work = new Lab(page);
  await work.open();
  await more(page, "Passer un examen");
  const question = page.getByRole("alertdialog");
  await expect(question).toContainText("66");
  await question.getByLabel("Durée en minutes").fill("1");
  await page.clock.install();
  await question.getByRole("button", { name: "Commencer" }).click();
  await expect(page.locator(".exam-line")).toContainText(/0:5\d|1:00/);
  await expect(page.locator(".step-tools .button")).toHaveCount(0);
  await expect(page.locator(".lesson .block").first()).toBeHidden();
  await expect(page.locator(".exam-note")).toBeVisible();
  await expect(page.locator("#more-menu button").filter({ hasText: "Exporter ce TP" })).toHaveCount(1);
  await expect(page.locator("#more-menu button").filter({ hasText: "Passer un examen" })).toHaveCount(0);
  await page.clock.fastForward(61_000);
  await expect(page.locator(".exam-line")).toContainText("Examen non réussi");
  await expect(page.locator(".exam-line")).toContainText("0 étape sur 6");
  await expect(page.locator(".lesson .block").first()).toBeVisible();
  await page.getByRole("button", { name: "Voir le bilan" }).click();
  await expect(page.locator(".review-step")).toHaveCount(6);
  await expect(page.locator(".review-step").first()).toContainText("Étape non réussie");
  await expect(page.locator(".review-step").first()).toContainText("kubectl apply -f nginx-deployment.yaml");
  await expect(page.locator(".review-step").first().locator(".missing li")).not.toHaveCount(0);
  await expect(page.locator(".review-step").last()).toContainText("Étape non atteinte");
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 800 } });
  for (const locale of ["fr", "zh", "ja", "es"] as const) {
    test(`the bar has room for its zones and tools in ${locale}, and its menu for the rest`, async ({ page }) => {
      await page.goto(`/${locale}/${lesson}`);
      await page.locator('[data-show="lab"]').click();
      await new Lab(page).ready();
      for (const zone of await page.locator(".zone-button").all()) {
        await zone.click();
        await expect(zone).toHaveAttribute("aria-pressed", "true");
      }
      await page.locator('.bench-tools > [popovertarget="more-menu"]').click();
      await expect(page.locator("#more-menu button")).toHaveCount(6);
    });
  }
});

test("on a phone the clock of a capstone stays in sight over every zone, with the tasks done", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/es/${capstone}`);
  await page.locator("[data-show=lab]").click();
  await page.getByRole("alertdialog").locator("[type=submit]").click();
  const clock = page.getByRole("timer");
  await expect(clock).toHaveText(/^Tiempo restante \d+:\d\d\s*0 de \d$/);
  for (const zone of await page.locator(".zone-button").all()) {
    await zone.click();
    await expect(clock).toHaveCount(1);
    await expect(clock).toBeInViewport();
  }
});
