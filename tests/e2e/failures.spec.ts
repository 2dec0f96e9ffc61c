// What goes wrong around a lab, and what the reader is told: each with what is safe and the one thing to do.

import { expect, type Page, test } from "@playwright/test";
import { Lab } from "./lab.test-kit.ts";
import { lesson } from "./pages.test-kit.ts";

const key = "pilothouse.lab.deployment-create";

async function keep(page: Page, text: string): Promise<void> {
  await page.addInitScript(
    ([name, value]) => {
      if (sessionStorage.getItem("kept") === null) localStorage.setItem(name, value);
      sessionStorage.setItem("kept", "");
    },
    [key, text] as const,
  );
}

test("a kept lab that cannot be read starts afresh and says so", async ({ page }) => {
  await keep(page, '{"format":1,"entries":[{');
  await new Lab(page).open();
  await expect(page.locator(".notice")).toHaveText(
    "L’état enregistré lors de votre dernière visite est illisible : le TP repart du début.",
  );
  await page.getByRole("button", { name: "Fermer l’avis" }).click();
  await expect(page.locator(".notice")).toHaveCount(0);
});

test("a kept lab of an older simulator starts afresh and says so", async ({ page }) => {
  await keep(page, JSON.stringify({ format: 0, seed: 1, entries: [] }));
  await new Lab(page).open("ja");
  await expect(page.locator(".notice")).toHaveText("前回の後にシミュレーターが更新されたため、ハンズオンを最初から始めます。");
});

test("a browser without room keeps the lab running and says that it will not last", async ({ page }) => {
  await page.addInitScript(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException("full", "QuotaExceededError");
    };
  });
  const work = new Lab(page);
  await work.open("es");
  await work.run("kubectl get nodes");
  await expect(page.locator(".notice")).toHaveText(
    "Este navegador no permite guardar datos o no tiene espacio: el laboratorio se perderá al cerrar la página.",
  );
});

test("a browser that denies storage does the same", async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(window, "localStorage", {
      get: () => {
        throw new DOMException("denied", "SecurityError");
      },
    });
  });
  const work = new Lab(page);
  await work.open("zh");
  await work.run("kubectl get nodes");
  await expect(page.locator(".notice")).toContainText("这个浏览器不允许保存数据");
});

test("a second tab on the same lab works, says that it keeps nothing, and leaves the first one's alone", async ({
  page,
  context,
}) => {
  const first = new Lab(page);
  await first.open();
  await first.run("kubectl create deployment one --image=nginx");
  await expect.poll(() => first.kept()).toContain("terminal-input");
  const second = new Lab(await context.newPage());
  await second.open();
  await expect(second.page.locator(".notice", { hasText: "déjà ouvert dans un autre onglet" })).toBeVisible();
  const before = JSON.parse((await first.kept()) ?? "{}").seed;
  await second.focus();
  await second.run("kubectl create deployment two --image=nginx");
  expect(JSON.parse((await first.kept()) ?? "{}").seed).toBe(before);
  await second.page.close();
  await page.reload();
  await first.begin();
  await first.run("kubectl get deployments -o name");
  expect(await first.lines()).toEqual(expect.arrayContaining(["deployment.apps/one"]));
  expect(await first.lines()).not.toContain("deployment.apps/two");
});

test("a worker that does not load is told, and tried again on request", async ({ page }) => {
  await page.route(/worker-.*\.js/, (route) => route.abort());
  await page.goto(`/fr/${lesson}`);
  await page.locator("[data-lab] [data-open-lab]").click();
  const alert = page.locator(".notice.failed");
  await expect(alert).toContainText("Le simulateur n’a pas pu démarrer dans ce navigateur.");
  await page.unroute(/worker-.*\.js/);
  await alert.getByRole("button", { name: "Réessayer" }).click();
  await new Lab(page).ready();
  await expect(alert).toHaveCount(0);
});

test("tools that do not load are told, and tried again on request", async ({ page }) => {
  await page.route(/tools-.*\.js/, (route) => route.abort());
  await page.goto(`/fr/${lesson}`);
  await page.locator("[data-lab] [data-open-lab]").click();
  const alert = page.locator(".notice.failed");
  await expect(alert).toContainText("Le simulateur");
  await page.unroute(/tools-.*\.js/);
  await alert.getByRole("button", { name: "Réessayer" }).click();
  const work = new Lab(page);
  await work.ready();
  await expect(alert).toHaveCount(0);
});

test("a worker that breaks while the lab runs is told, and the lab goes on where it was", async ({ page }) => {
  await page.addInitScript(() => {
    const Real = window.Worker;
    window.Worker = class extends Real {
      constructor(url: string | URL, options?: WorkerOptions) {
        super(url, options);
        addEventListener("break-worker", () => this.dispatchEvent(new ErrorEvent("error", { message: "out of memory" })), {
          once: true,
        });
      }
    };
  });
  const work = new Lab(page);
  await work.open();
  await work.run("kubectl apply -f nginx-deployment.yaml; kubectl rollout status deployment nginx-deployment");
  await expect(page.locator(".step[data-state=passed]")).toHaveCount(2);
  await page.evaluate(() => dispatchEvent(new Event("break-worker")));
  const alert = page.locator(".notice.failed");
  await expect(alert).toContainText("Le simulateur a rencontré une erreur et ne peut pas continuer.");
  await alert.getByText("Détail technique").click();
  await expect(alert.locator("pre")).toHaveText("out of memory");
  await alert.getByRole("button", { name: "Réessayer" }).click();
  await work.ready();
  await expect(page.locator(".step[data-state=passed]")).toHaveCount(2);
  await work.focus();
  await work.run("kubectl get deployments -o name");
  expect(await work.lines()).toContain("deployment.apps/nginx-deployment");
});

test("a lab whose texts do not load says so", async ({ page }) => {
  await page.route(/labs\/deployment-create\.fr\.json/, (route) => route.fulfill({ status: 503 }));
  await page.goto(`/fr/${lesson}`);
  await page.locator("[data-lab] [data-open-lab]").click();
  await expect(page.locator(".notice.failed")).toContainText("Les textes ou les fichiers du TP ne se sont pas chargés.");
});
