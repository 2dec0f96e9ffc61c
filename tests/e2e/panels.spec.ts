// The panels beside the terminals: the timeline and the past, the inspector, the scheduler's decisions, time by hand.

import AxeBuilder from "@axe-core/playwright";
import { expect, type Page, test } from "@playwright/test";
import { Lab } from "./lab.test-kit.ts";

async function openPanel(page: Page, title: string): Promise<void> {
  await page.locator(".panel-button").click();
  await page.locator("#panel-menu").getByRole("button", { name: title }).click();
  await expect(page.getByRole("tab", { name: title })).toHaveAttribute("aria-selected", "true");
}

/** A lab with two Pods that run. */
async function labWithPods(page: Page): Promise<Lab> {
  const work = new Lab(page);
  await work.open();
  await work.run("kubectl create deployment web --image=nginx:1.27 --replicas=2");
  await expect(page.locator("svg.cluster .pod[data-system=false] .glyph-running")).toHaveCount(2);
  return work;
}

test("panels are tabs beside the terminals, by keyboard, and stay after a reload", async ({ page }) => {
  const work = new Lab(page);
  await work.open();
  await openPanel(page, "Chronologie");
  await expect(page.locator(".entry").first()).toBeVisible();
  await openPanel(page, "Inspecteur");
  await page.getByRole("tab", { name: "Inspecteur" }).focus();
  await page.keyboard.press("ArrowLeft");
  await expect(page.getByRole("tab", { name: "Chronologie" })).toBeFocused();
  await page.keyboard.press("Home");
  await expect(page.getByRole("tab", { name: "Terminal 1" })).toBeFocused();
  await page.keyboard.press("End");
  await page.keyboard.press("Delete");
  await expect(page.getByRole("tab", { name: "Inspecteur" })).toHaveCount(0);
  await page.reload();
  await page.locator("[data-lab] [data-open-lab]").click();
  await expect(page.getByRole("tab", { name: "Chronologie" })).toHaveAttribute("aria-selected", "true");
});

test("a panel stands beside the terminal, is remembered so, and does not greet in another lab or on the home page", async ({
  page,
}) => {
  const work = new Lab(page);
  await work.open();
  await work.run("kubectl create configmap touched");
  await openPanel(page, "Inspecteur");
  // On what was written last.
  await expect(page.locator(".sheet h3")).toContainText("ConfigMap touched");
  await page.getByRole("button", { name: "Afficher à côté du terminal : Inspecteur".replace(" :", "\u202f:") }).click();
  await expect(page.locator(".sheet")).toBeVisible();
  await work.focus();
  await work.run("kubectl get configmap touched -o name");
  await page.reload();
  await work.begin();
  await expect(page.locator(".inspector")).toBeVisible();
  await expect(work.screen).toBeVisible();
  await page.goto("/fr/objects/labels/");
  await work.begin();
  await expect(page.getByRole("tab")).toHaveCount(1);
  await openPanel(page, "Chronologie");
  await expect(work.screen).toBeVisible();
  await page.goto("/fr/");
  await page.locator("#lab").scrollIntoViewIfNeeded();
  await work.ready();
  await expect(page.getByRole("tab")).toHaveCount(1);
});

test("a second terminal stands beside the first", async ({ page }) => {
  const work = new Lab(page);
  await work.open();
  await page.getByRole("button", { name: "Nouveau terminal" }).click();
  await page.getByRole("button", { name: /Afficher à côté du terminal.*Terminal 2/ }).click();
  await expect(page.locator(".screen:not([hidden])")).toHaveCount(2);
  await page.getByRole("tab", { name: "Terminal 2" }).click();
  await work.type("echo second\n");
  await expect(page.locator('.screen[data-place="beside"] .xterm-rows')).toContainText("second");
  await page.getByRole("button", { name: "Fermer\u202f: Terminal 2" }).click();
  await expect(page.locator(".screen:not([hidden])")).toHaveCount(1);
});

test("the timeline tells who wrote what, and follows a Pod step by step", async ({ page }) => {
  await labWithPods(page);
  await openPanel(page, "Chronologie");
  await page.locator(".panel-search").fill("deployments.apps/default/web");
  const first = page.locator(".entry").first();
  await expect(first).toContainText("kubectl");
  await expect(first).toContainText("create");
  await page.getByRole("listbox").focus();
  await page.keyboard.press("Home");
  await expect(page.locator(".detail")).toContainText("kubernetes-admin");
  await expect(page.locator(".detail .yaml")).toContainText("kind: Deployment");
  await page.getByRole("button", { name: "Suivre pas à pas" }).click();
  await expect(page.locator(".follow-step")).toHaveCount(15);
  await expect(page.locator(".follow-step").last()).toContainText("phase Running");
});

test("the past is shown with a banner and a way back, and changes nothing", async ({ page }) => {
  const work = await labWithPods(page);
  await openPanel(page, "Chronologie");
  const slider = page.getByRole("slider", { name: "Instant affiché" });
  await slider.focus();
  await page.keyboard.press("Home");
  await expect(page.locator(".past-banner")).toContainText("Le cluster tel qu’il était");
  await expect(page.locator("svg.cluster .pod[data-system=false]")).toHaveCount(0);
  await page.locator(".past-banner").getByRole("button").click();
  await expect(page.locator(".past-banner")).toHaveCount(0);
  await expect(page.locator("svg.cluster .pod[data-system=false]")).toHaveCount(2);
  await page.getByRole("tab", { name: "Terminal 1" }).click();
  await work.run("kubectl get pods --no-headers | wc -l");
  expect(await work.lines()).toContain("2");
});

test("the inspector opens from the picture by click and by keyboard, and compares versions", async ({ page }) => {
  await labWithPods(page);
  await page.locator("svg.cluster .pod[data-system=false]").first().click();
  await expect(page.locator(".sheet")).toContainText("Deployment web");
  await page.getByRole("button", { name: "YAML" }).click();
  await expect(page.locator(".sheet .yaml")).toContainText("kind: Pod");
  await page.getByRole("button", { name: "Versions" }).click();
  await expect(page.locator(".sheet .diff ins").first()).toBeVisible();
  await page.locator("svg.cluster .frame[data-object]").first().focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await expect(page.locator(".sheet h3")).toContainText("Node node-1");
});

test("a node's power is cut and given by its switches, which type their commands", async ({ page }) => {
  const work = new Lab(page);
  await work.open();
  await page.locator("svg.cluster .frame[data-object]").first().focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await expect(page.locator(".sheet h3")).toContainText("Node node-1");
  await page.getByRole("button", { name: "Couper le courant" }).click();
  await expect(work.screen).toContainText("Domain 'node-1' destroyed");
  await work.hurry();
  await expect(page.locator(".nodes-ready")).toHaveAttribute("data-all", "false");
  await page.getByRole("tab", { name: "Inspecteur" }).click();
  await page.getByRole("button", { name: "Allumer" }).click();
  await expect(work.screen).toContainText("Domain 'node-1' started");
  await expect(page.locator(".nodes-ready")).toHaveAttribute("data-all", "true");
});

test("the scheduler's decisions have every node, refused or scored", async ({ page }) => {
  await labWithPods(page);
  await openPanel(page, "Ordonnanceur");
  await page.locator(".panel-search").fill("default/web");
  await page.locator(".decision-list button").first().click();
  await expect(page.locator(".score-table tbody tr")).toHaveCount(4);
  await expect(page.locator(".score-table tr[data-chosen=true]")).toHaveCount(1);
  await expect(page.locator(".score-table tr[data-refused=true]")).toContainText("refusé par TaintToleration");
});

test("time goes on by hand: to the next write, and no further", async ({ page }) => {
  const work = new Lab(page);
  await work.open();
  await page.getByRole("button", { name: "Mettre en pause" }).click();
  const time = page.locator(".virtual-time");
  const before = await time.getAttribute("datetime");
  await page.getByRole("button", { name: "Jusqu’à la prochaine écriture" }).click();
  await expect(time).not.toHaveAttribute("datetime", before ?? "");
  const standsStill = async (): Promise<boolean> => {
    const now = await time.getAttribute("datetime");
    await page.waitForTimeout(700);
    return now === (await time.getAttribute("datetime"));
  };
  await expect.poll(standsStill).toBe(true);
});

for (const title of ["Chronologie", "Inspecteur", "Ordonnanceur"]) {
  test(`axe finds nothing to mend in the panel: ${title}`, async ({ page }) => {
    await labWithPods(page);
    if (title === "Inspecteur") await page.locator("svg.cluster .pod[data-system=false]").first().click();
    else await openPanel(page, title);
    await expect(page.locator(".entry, .sheet, .score-table").first()).toBeVisible();
    if (title === "Chronologie") await page.locator(".entry").last().click();
    const { violations } = await new AxeBuilder({ page }).include(".workbench").analyze();
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join("\n")}`)).toEqual([]);
  });
}
