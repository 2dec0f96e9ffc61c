// The editor and the browser beside the terminal: a manifest written with help, applied, and its page opened.

import { expect, type Page, test } from "@playwright/test";
import { Lab } from "./lab.test-kit.ts";

async function openPanel(page: Page, name: string): Promise<void> {
  await page.locator(".panel-button").click();
  await page.locator("#panel-menu").getByRole("button", { name }).click();
}

const service = "apiVersion: v1\nkind: Service\nmetadata:\n  name: web\nspec:\n  type: NodePort\n  selector: {app: web}\n  ";

test("a manifest is written with help, saved, applied, and what it opens is seen", async ({ page }) => {
  const work = new Lab(page);
  await work.open();
  await work.run("kubectl create deployment web --image=nginx:1.27");
  await work.run("kubectl rollout status deployment/web");
  await openPanel(page, "Éditeur");
  await page.getByRole("button", { name: "Nouveau fichier" }).click();
  await page.getByLabel("Nom du nouveau fichier").fill("service.yaml");
  await page.keyboard.press("Enter");
  const text = page.locator(".cm-content");
  await expect(text).toBeFocused();
  await page.keyboard.insertText(service);
  await page.keyboard.type("port");
  await expect(page.locator(".cm-tooltip-autocomplete li").first()).toContainText("ports");
  await page.keyboard.press("Escape");
  await page.keyboard.insertText("s:\n  - prot: 80\n    nodePort: 30080\n");
  await expect(page.locator(".cm-lintRange-error")).toHaveCount(2);
  await page.locator(".cm-lint-marker-error").hover();
  await expect(page.locator(".cm-tooltip-lint")).toContainText("Champ inconnu ici : prot");
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(`${service}ports:\n  - port: 80\n    nodePort: 30080\n`);
  await expect(page.locator(".cm-lint-marker-error")).toHaveCount(0);
  await page.getByRole("button", { name: "Enregistrer et appliquer" }).click();
  await expect(work.screen).toContainText("service/web created");
  await openPanel(page, "Navigateur");
  // The nodes' rules follow a moment after the Service.
  await expect(async () => {
    await page.locator(".preview-doors").getByRole("button", { name: "web node-1:30080" }).click();
    await expect(page.locator(".preview-status")).toContainText("200 OK", { timeout: 5000 });
  }).toPass();
  await expect(page.frameLocator(".preview-frame").getByRole("heading")).toHaveText("Welcome to nginx!");
  await page.getByLabel("Adresse à ouvrir").fill("localhost:8080");
  await page.keyboard.press("Enter");
  await expect(page.locator(".preview-failed")).toContainText("Rien n’écoute sur ce port");
});

test("a file changed in the terminal is not overwritten unasked, and what the machine refuses is said", async ({ page }) => {
  const work = new Lab(page);
  await work.open();
  await openPanel(page, "Éditeur");
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+Home");
  await page.keyboard.insertText("# a\n");
  await page.locator(".terminal-tabs [role=tab]").first().click();
  await work.run("echo '# b' > nginx-deployment.yaml");
  await page.getByRole("tab", { name: "Éditeur" }).click();
  await page.getByRole("button", { name: "Enregistrer", exact: true }).click();
  await expect(page.locator(".file-state")).toContainText("Ce fichier a changé depuis que vous l’avez ouvert.");
  await page.getByRole("button", { name: "Reprendre la version du disque" }).click();
  await expect(page.locator(".cm-content")).toHaveText("# b");
  await page.getByRole("button", { name: "Nouveau fichier" }).click();
  await page.getByLabel("Nom du nouveau fichier").fill("nowhere/web.yaml");
  await page.keyboard.press("Enter");
  await expect(page.locator(".cm-content")).toBeFocused();
  await expect(page.getByLabel("Fichier", { exact: true })).toHaveValue("nowhere/web.yaml");
  await page.keyboard.type("a");
  await page.getByRole("button", { name: "Enregistrer", exact: true }).click();
  await expect(page.locator(".file-state")).toContainText("No such file or directory");
});

test("what was written into a file and not saved is there again when the file is opened again", async ({ page }) => {
  const work = new Lab(page);
  await work.open();
  await openPanel(page, "Éditeur");
  const text = page.locator(".cm-content");
  const file = page.getByLabel("Fichier", { exact: true });
  const state = page.locator(".file-state");
  await expect(state).toHaveText("Enregistré");
  const first = await file.inputValue();
  await page.getByRole("button", { name: "Nouveau fichier" }).click();
  await page.getByLabel("Nom du nouveau fichier").fill("note.yaml");
  await page.keyboard.press("Enter");
  await expect(file).toHaveValue("note.yaml");
  await page.keyboard.type("# half");
  await file.selectOption(first);
  await expect(file).toHaveValue(first);
  await expect(state).toHaveText("Enregistré");
  await page.getByRole("button", { name: "Nouveau fichier" }).click();
  await page.getByLabel("Nom du nouveau fichier").fill("note.yaml");
  await page.keyboard.press("Enter");
  await expect(text).toHaveText("# half");
  await expect(state).toHaveText("Non enregistré");
  await page.getByRole("button", { name: "Enregistrer", exact: true }).click();
  await expect(state).toHaveText("Fichier enregistré");
});
