// Terminals on the real cluster: keys, composed text, completion, interrupts, several of them, and what a reload brings back.

import { expect, test } from "@playwright/test";
import { stringsFor } from "../../src/i18n/build.ts";
import { locales } from "../../src/i18n/locales.ts";
import { Lab, lab } from "./lab.ts";
import { lesson } from "./pages.ts";

const prompt = "learner@workstation:~$";

test("opening the lab puts the keyboard into the terminal; Esc Esc gives it back", async ({ page }) => {
  const work = new Lab(page);
  await work.open();
  await work.run("kubectl get nodes");
  await expect(work.screen).toContainText("control-plane");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("tab", { name: "Terminal 1" })).toBeFocused();
});

for (const locale of locales) {
  test(`everything is reached by keyboard: skip link, Run, the terminal and out of it, in ${locale}`, async ({ page }) => {
    const t = stringsFor(locale);
    await page.goto(`/${locale}/${lesson}`);
    await page.keyboard.press("Tab");
    await expect(page.locator(".skip-link")).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(page.locator("main")).toBeFocused();
    const run = page.locator("[data-run-block]").first();
    for (let presses = 0; presses < 60 && !(await run.evaluate((button) => button === document.activeElement)); presses += 1) {
      await page.keyboard.press("Tab");
    }
    await expect(run).toBeFocused();
    await page.keyboard.press("Enter");
    const work = new Lab(page);
    await expect(work.screen).toContainText("deployment.apps/web created");
    await page.keyboard.press("Control+Backquote");
    await expect(page.locator(".xterm-helper-textarea")).toBeFocused();
    await page.keyboard.press("Control+Backquote");
    await expect(page.locator("main")).toBeFocused();
    await page.keyboard.press("Control+Backquote");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await expect(page.getByRole("tab", { name: t("workbench.terminal.number", { number: 1 }) })).toBeFocused();
  });
}

test("Run buttons type their blocks in the lesson's order", async ({ page }) => {
  await page.goto("/es/workloads/deployment-create/");
  const work = new Lab(page);
  const blocks = page.locator("[data-run-block]");
  await blocks.nth(0).click();
  await expect(work.screen).toContainText("deployment.apps/web created");
  await work.prompt();
  await work.focus();
  await work.clear();
  await blocks.nth(1).click();
  const command = (await page.locator("[data-block=run] pre").nth(1).textContent())?.trim() ?? "";
  await expect.poll(async () => (await work.lines())[0]).toBe(`${prompt} ${command}`);
});

test("Tab completes a resource, Ctrl-C ends a watch and leaves code 130", async ({ page }) => {
  const work = new Lab(page);
  await work.open();
  await work.type("kubectl get po");
  await page.keyboard.press("Tab");
  await expect.poll(async () => (await work.lines()).join("\n")).toMatch(/kubectl get po\w/);
  await page.keyboard.press("Control+c");
  await work.clear();
  await work.type("kubectl get pods --watch -n kube-system");
  await page.keyboard.press("Enter");
  await expect(work.screen).toContainText("kube-scheduler");
  await page.keyboard.press("Control+c");
  await expect.poll(async () => (await work.lines()).at(-1)).toBe(prompt);
  await work.run("echo code $?");
  expect(await work.lines()).toContain("code 130");
});

test("the arrow key brings back the last command", async ({ page }) => {
  const work = new Lab(page);
  await work.open();
  await work.run("echo first");
  await work.clear();
  await page.keyboard.press("ArrowUp");
  await expect.poll(async () => (await work.lines()).at(-1)).toBe(`${prompt} echo first`);
});

for (const [locale, composed] of [
  ["zh", "集群"],
  ["ja", "クラスター"],
] as const) {
  test(`text composed by an input method reaches the shell in ${locale}`, async ({ page }) => {
    const work = new Lab(page);
    await work.open(locale);
    await work.type("echo ");
    const input = await page.context().newCDPSession(page);
    await input.send("Input.imeSetComposition", { text: composed.slice(0, 1), selectionStart: 1, selectionEnd: 1 });
    await input.send("Input.imeSetComposition", { text: composed, selectionStart: composed.length, selectionEnd: composed.length });
    await input.send("Input.insertText", { text: composed });
    await expect.poll(async () => (await work.lines()).at(-1)).toBe(`${prompt} echo ${composed}`);
    await page.keyboard.press("Enter");
    await expect.poll(work.lines.bind(work)).toEqual([`${prompt} echo ${composed}`, composed, prompt]);
  });
}

test("terminals open in tabs, share the workstation and close again", async ({ page }) => {
  const work = new Lab(page);
  await work.open();
  await work.run("echo shared > note.txt");
  await page.getByRole("button", { name: "Nouveau terminal" }).click();
  await expect(page.getByRole("tab", { name: "Terminal 2" })).toHaveAttribute("aria-selected", "true");
  await work.prompt();
  await work.run("cat note.txt");
  expect(await work.lines()).toContain("shared");
  await page.getByRole("button", { name: /^Fermer.*Terminal 2$/ }).click();
  await expect(page.getByRole("tab")).toHaveCount(1);
  await work.run("echo still here");
  expect(await work.lines()).toContain("still here");
});

test("a shell that ends takes its tab away and leaves the keyboard in another terminal", async ({ page }) => {
  const work = new Lab(page);
  await work.open();
  await page.getByRole("button", { name: "Nouveau terminal" }).click();
  await work.prompt();
  await work.type("exit");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("tab")).toHaveCount(1);
  await work.run("echo still here");
  expect(await work.lines()).toContain("still here");
  await page.keyboard.press("Control+d");
  await expect(page.getByRole("tab")).toHaveCount(0);
  await expect(page.locator(".zone.terminal")).toContainText("Aucun terminal ouvert.");
});

for (const locale of locales) {
  test(`a reload brings back passed steps, terminals with what they showed, their history, and the same Pods, in ${locale}`, async ({
    page,
  }) => {
    const t = stringsFor(locale);
    const work = new Lab(page);
    await work.open(locale);
    await work.runScript(lab.steps[0]?.solution ?? "");
    await work.run("kubectl rollout status deployment/nginx-deployment");
    await expect(page.locator(".step[data-state=passed]")).toHaveCount(2);
    const uids = "kubectl get pods -o custom-columns=U:.metadata.uid";
    await work.run(uids);
    const before = await work.lines();
    expect(before).toHaveLength(6);
    await page.getByRole("button", { name: t("workbench.terminal.new") }).click();
    await work.prompt();
    await page.reload();
    await work.begin();
    await expect(page.locator(".notice")).toHaveText(t("session.resumed"));
    await expect(page.getByRole("tab")).toHaveCount(2);
    await expect(page.locator(".step[data-state=passed]")).toHaveCount(2);
    await page.getByRole("tab", { name: t("workbench.terminal.number", { number: 1 }) }).click();
    await expect.poll(() => work.lines()).toEqual(before);
    await work.clear();
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await expect.poll(async () => (await work.lines()).slice(1)).toEqual(before.slice(1));
  });
}

test("a reset asks first, then begins a new cluster with empty screens", async ({ page }) => {
  const work = new Lab(page);
  await work.open();
  await work.runScript(lab.steps[0]?.solution ?? "");
  await expect(page.locator(".step[data-state=passed]")).toHaveCount(1);
  const before = await work.kept();
  await page.locator(".bench-tools .button").click();
  await expect(page.getByRole("alertdialog")).toContainText("Réinitialiser le TP depuis le début");
  await page.getByRole("button", { name: "Annuler" }).click();
  await expect(page.getByRole("alertdialog")).toHaveCount(0);
  await page.locator(".bench-tools .button").click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Réinitialiser" }).click();
  await expect(page.locator(".step[data-state=passed]")).toHaveCount(0);
  await expect.poll(() => work.lines()).toEqual([prompt]);
  await work.run("kubectl get deployments");
  expect(await work.lines()).toContain("No resources found in default namespace.");
  await expect.poll(() => work.kept()).not.toBe(before);
});

test("the language switch stays on the lesson, and the lab goes on in the other language", async ({ page }) => {
  const work = new Lab(page);
  await work.open("fr");
  await work.runScript(lab.steps[0]?.solution ?? "");
  await expect(page.locator(".step[data-state=passed]")).toHaveCount(1);
  await page.getByRole("link", { name: "日本語" }).click();
  await expect(page).toHaveURL(/\/ja\/workloads\/deployment-create\/$/);
  await work.begin();
  await expect(page.locator(".step[data-state=passed]")).toHaveCount(1);
  await expect(page.getByRole("tab", { name: "ターミナル1" })).toBeVisible();
});

test("time can be paused, sped up and skipped", async ({ page }) => {
  const work = new Lab(page);
  await work.open();
  const time = page.locator(".virtual-time");
  const now = async (): Promise<number> => Date.parse((await time.getAttribute("datetime")) ?? "");
  await page.getByRole("button", { name: "Mettre en pause" }).click();
  await expect(page.getByRole("button", { name: "Reprendre" })).toHaveAttribute("aria-pressed", "true");
  await page.getByRole("button", { name: "Laisser passer" }).click();
  const before = await now();
  await page.getByRole("button", { name: "5 min" }).click();
  await expect.poll(async () => (await now()) - before).toBeGreaterThanOrEqual(300_000);
  await page.getByRole("button", { name: "Reprendre" }).click();
  await page.getByRole("button", { name: "60×" }).click();
  await expect(page.getByRole("button", { name: "60×" })).toHaveAttribute("aria-pressed", "true");
  const fast = await now();
  await expect.poll(async () => (await now()) - fast).toBeGreaterThanOrEqual(120_000);
});
