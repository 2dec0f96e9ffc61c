// A learner's path with the mistakes that people make, in each language: the documentation's classic demonstration of a memory limit, a paused
// cluster, an editor left the wrong way, programs that are not here, an image that does not exist – and the prompt always answers.

import { expect, type Page } from "@playwright/test";
import { stringsFor } from "../../src/i18n/build.ts";
import { locales } from "../../src/i18n/locales.ts";
import { testInTurn } from "./in-turn.test-kit.ts";
import { Lab, textsIn } from "./lab.test-kit.ts";

/** Pictures of the way, where somebody wants to look at them. */
const folder = process.env["PILOTHOUSE_PICTURES"];
const picture = async (page: Page, name: string): Promise<void> => {
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png` });
};

const hungry = `kubectl run hungry --image=busybox --overrides='${JSON.stringify({
  spec: {
    containers: [
      {
        name: "hungry",
        image: "busybox",
        command: ["tail", "/dev/zero"],
        resources: { limits: { memory: "64Mi" } },
      },
    ],
  },
})}'`;

for (const locale of locales) {
  testInTurn("a learner makes the usual mistakes and is never stuck", locale, async ({ page }) => {
    const t = stringsFor(locale);
    const work = new Lab(page);
    await work.open(locale);

    // Killed for its memory again and again, while the prompt answers.
    await work.run(hungry);
    await work.skipMinute();
    await work.run("kubectl get pod hungry -o jsonpath='{.status.containerStatuses[0].lastState.terminated.reason}{\"\\n\"}'");
    expect(await work.lines()).toContain("OOMKilled");
    await work.run("kubectl get pod hungry -o jsonpath='{.status.containerStatuses[0].restartCount}{\"\\n\"}'");
    expect(Number((await work.lines()).find((line) => /^\d+$/.test(line)))).toBeGreaterThanOrEqual(2);
    await picture(page, `${locale}-1-oomkilled`);
    await work.run("kubectl delete pod hungry --now");

    // In the shell itself: endless input ends with Ctrl-C.
    await work.clear();
    await work.type("yes > /dev/null\n");
    await page.keyboard.press("Control+c");
    await work.prompt();

    // A name mistyped, a program that is not here, a file that is not there.
    await work.run("kubctl get pods");
    expect(await work.lines()).toContain("-bash: kubctl: command not found");
    await work.run("k9s");
    expect((await work.lines()).join("\n")).toMatch(/k9s: command not found\nNo k9s here/);
    await work.run("kubectl apply -f nginx-deployement.yaml");
    expect((await work.lines()).join(" ")).toContain('error: the path "nginx-deployement.yaml" does not exist');

    // An editor left by Esc Esc, and a cluster that was paused without meaning to.
    await work.clear();
    await work.type("vi note.txt\n");
    await expect.poll(async () => (await work.lines()).at(-1)).toContain("note.txt");
    await work.type("ihello");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await work.type(":wq\n");
    await work.prompt();
    await page.locator(".status-clock button >> nth=0").click();
    await work.focus();
    await work.type("kubectl apply -f nginx-deployment.yaml\n");
    await expect(page.locator(".terminal-notice")).toContainText(t("workbench.terminal.paused"));
    await picture(page, `${locale}-2-paused`);
    await page.keyboard.press("Control+Enter");
    await expect(work.passed).not.toHaveCount(0);

    // An image that no registry has: the picture and the terminal say so, the step that had passed stays.
    await work.prompt();
    await work.run("kubectl set image deployment/nginx-deployment nginx=nginx:1.161");
    await work.skipMinute();
    await work.run("kubectl get pods");
    expect((await work.lines()).join("\n")).toMatch(/ErrImagePull|ImagePullBackOff/);
    await picture(page, `${locale}-3-image`);
    await work.run("kubectl rollout undo deployment/nginx-deployment");
    await work.run("kubectl rollout status deployment/nginx-deployment");
    await expect(work.passed).toHaveCount(2);
    await expect(work.current.locator(".step-title")).toHaveText(textsIn(locale).steps["hash"]?.title ?? "");
    await picture(page, `${locale}-4-steps`);
  });
}
