// The picture tells owners, states and the objects of a lab apart, in the drawing and in the table.

import { expect, test } from "@playwright/test";
import { Lab } from "./lab.test-kit.ts";
import { fiveKindsOfOwners } from "./owners.test-kit.ts";

const patience = { timeout: 40_000 };

test("five kinds of owners and a bare Pod have badges, trays of their own, and signs for what is wrong", async ({ page }) => {
  const work = new Lab(page);
  await work.open();
  await work.hurry();
  for (const command of fiveKindsOfOwners) await work.run(command);
  const badges = page.locator(".owners .owner");
  for (const [kind, name] of [
    ["Deployment", "shop-frontend"],
    ["StatefulSet", "data"],
    ["DaemonSet", "agent"],
    ["CronJob", "often"],
    ["Job", "once"],
    ["Pod", "client"],
  ]) {
    await expect(page.locator(`.owners .owner[data-kind=${kind}]`, { hasText: name ?? "" })).toHaveCount(1);
  }
  await expect(badges.filter({ hasText: "shop-frontend" }).locator(".revision")).toHaveCount(2);
  const hues = await page
    .locator(".tray-ground[data-hue]")
    .evaluateAll((trays) => trays.map((tray) => tray.getAttribute("data-hue")));
  expect(new Set(hues).size).toBeGreaterThanOrEqual(5);
  await expect(page.locator("svg.cluster .pod[data-shape=imageFailed]")).toHaveCount(1);
  await expect(page.locator("svg.cluster .pod[data-shape=crashLooping]")).toHaveCount(0);
  await expect(page.locator(".legend")).toContainText("image non téléchargée");
  await expect(page.locator(".legend")).not.toContainText("redémarre en boucle");
  await badges.filter({ hasText: "agent" }).hover();
  await expect(page.locator("svg.cluster .pod[data-lit=true]")).toHaveCount(3);
  await expect(page.locator(".link-ends circle")).toHaveCount(3);
  await page.getByRole("button", { name: "Tableau" }).click();
  await expect(page.locator(".owner-table tbody tr", { hasText: "often" })).toContainText("*/1 * * * *");
  await expect(page.locator(".pod-table").first()).toContainText("StatefulSet/data");
});

test("an owner keeps its hue while others come and go", async ({ page }) => {
  const work = new Lab(page);
  await work.open();
  const tagOf = (name: string) => page.locator(".owner", { hasText: name }).locator(".owner-tag");
  await work.run("kubectl create deployment middle --image=nginx:1.27");
  await expect(tagOf("middle")).toHaveAttribute("data-hue", "1");
  await work.run("kubectl create deployment first --image=nginx:1.27; kubectl create deployment zone --image=nginx:1.27");
  await expect(tagOf("zone")).toHaveCount(1);
  await work.run("kubectl delete deployment first");
  await expect(tagOf("first")).toHaveCount(0);
  await expect(tagOf("middle")).toHaveAttribute("data-hue", "1");
});

test("a container that cannot be made for want of its ConfigMap has a sign of its own", async ({ page }) => {
  const work = new Lab(page);
  await work.open();
  await work.run(
    `kubectl create deployment unfit --image=nginx:1.27 --dry-run=client -o json | jq '.spec.template.spec.containers[0].envFrom = [{configMapRef: {name: "nowhere"}}]' | kubectl apply -f -`,
  );
  await expect(page.locator("svg.cluster .pod[data-shape=configFailed]")).not.toHaveCount(0, patience);
  await expect(page.locator("svg.cluster .pod[data-shape=configFailed] title").first()).toContainText("CreateContainerConfigError");
});

test("the lab on finalizers shows a claim and a ConfigMap that wait to be deleted, and what holds them", async ({ page }) => {
  const work = new Lab(page);
  await page.goto("/fr/objects/finalizers/");
  await work.begin();
  const claim = page.locator(".plate.object[data-kind=PersistentVolumeClaim]");
  await expect(claim).toContainText("data · Bound");
  // From the Pod to its claim, and from the claim to its volume.
  await expect(page.locator(".tie-bond")).toHaveCount(2);
  await work.run(
    "kubectl apply -f guarded.yaml; kubectl delete configmap guarded --wait=false; kubectl delete pvc data --wait=false",
  );
  await expect(claim).toHaveAttribute("data-deleting", "true");
  await expect(claim).toContainText("…/pvc-protection");
  await expect(page.locator(".plate.object[data-kind=ConfigMap]", { hasText: "guarded" })).toContainText("suppression en attente");
  await expect(page.locator(".plate.object[data-kind=ConfigMap]", { hasText: "guarded" })).toContainText("example.com/hold");
  await claim.focus();
  await expect(page.locator("svg.cluster .pod[data-lit=true]")).toHaveCount(1);
  await page.getByRole("button", { name: "Tableau" }).click();
  const row = page.getByRole("row", { name: "default PersistentVolumeClaim" });
  for (const text of ["Terminating", "suppression en attente", "kubernetes.io/pvc-protection", "PersistentVolume/pv-1", "Pod/user"])
    await expect(row).toContainText(text);
});

test("the lab on owner references draws arrows from dependents to their owners", async ({ page }) => {
  const work = new Lab(page);
  await page.goto("/fr/objects/owner-references/");
  await work.begin();
  await expect(page.locator(".plate.object[data-kind=Deployment]")).toHaveCount(2);
  // ReplicaSets to their Deployments, Pods to their ReplicaSets.
  await expect(page.locator(".tie-owner")).toHaveCount(4);
  await expect(page.locator(".legend")).toContainText("flèche vers le propriétaire");
});
