// Terminals on the real cluster: keys, composed text, completion, interrupts, several of them, and what a reload brings back.

import { expect, test } from "@playwright/test";
import { listedImages } from "../../src/course/images.ts";
import { stringsFor } from "../../src/i18n/build.ts";
import { locales } from "../../src/i18n/locales.ts";
import { testInTurn } from "./in-turn.test-kit.ts";
import { Lab, lab } from "./lab.test-kit.ts";
import { lesson } from "./pages.test-kit.ts";

const prompt = "learner@workstation:~$";

test("opening the lab puts the keyboard into the terminal; Esc Esc gives it back", async ({ page }) => {
  const work = new Lab(page);
  await work.open();
  await work.run("kubectl get nodes");
  await expect(work.screen).toContainText("control-plane");
  await work.leave();
});

for (const locale of locales) {
  testInTurn("everything is reached by keyboard: skip link, Run, the terminal and out of it", locale, async ({ page }) => {
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
    await work.leave();
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
  testInTurn(
    "a reload brings back passed steps, terminals with what they showed, their history, and the same Pods",
    locale,
    async ({ page }) => {
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
    },
  );
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

const keyboard = ".screen:not([hidden]) .xterm-helper-textarea";
const pauseButton = ".status-clock button >> nth=0";

for (const [command, quit] of [
  ["vi note.txt", ":q!\n"],
  ["nano note.txt", "\x18"],
  ["less /etc/hosts", "q"],
  ["watch -n 1 kubectl get nodes", "\x03"],
  ["top", "q"],
] as const) {
  test(`Esc Esc is the program's while ${command} runs, and leaves once the shell is back`, async ({ page }) => {
    const work = new Lab(page);
    await work.open();
    await work.type(command);
    await page.keyboard.press("Enter");
    await expect.poll(async () => (await work.lines()).at(-1)).not.toBe(`${prompt} ${command}`);
    // As slowly as a person at least: Escape and a key at once are Alt and that key.
    for (let presses = 0; presses < 3; presses += 1) await page.keyboard.press("Escape", { delay: 300 });
    await expect(page.locator(keyboard)).toBeFocused();
    if (quit === "\x18" || quit === "\x03") await page.keyboard.press(quit === "\x03" ? "Control+c" : "Control+x");
    else await work.type(quit);
    await work.prompt();
    await work.leave();
  });
}

test("vi, Esc Esc, :wq writes the file, and the cluster goes on", async ({ page }) => {
  const work = new Lab(page);
  await work.open();
  await work.type("vi note.txt\n");
  await expect.poll(async () => (await work.lines()).at(-1)).toContain("note.txt");
  await work.type("ikubectl");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await work.type(":wq\n");
  await work.prompt();
  await work.run("cat note.txt");
  expect(await work.lines()).toContain("kubectl");
  await expect(page.locator(pauseButton)).toHaveAttribute("aria-pressed", "false");
});

test("letters typed after leaving a terminal are no shortcuts until the keyboard has gone on", async ({ page }) => {
  const work = new Lab(page);
  await work.open();
  await work.leave();
  const address = page.url();
  await work.type("k?/npgh.");
  await expect(page.locator(pauseButton)).toHaveAttribute("aria-pressed", "false");
  await expect(page.locator("dialog[open]")).toHaveCount(0);
  expect(page.url()).toBe(address);
  await page.keyboard.press("Tab");
  await page.keyboard.press("k");
  await expect(page.locator(pauseButton)).toHaveAttribute("aria-pressed", "true");
});

test("letters typed after the last shell has ended are no shortcuts, and Enter opens another terminal", async ({ page }) => {
  const work = new Lab(page);
  await work.open();
  await page.keyboard.press("Control+d");
  await expect(page.locator(".zone-empty button")).toBeFocused();
  await work.type("k.");
  await expect(page.locator(pauseButton)).toHaveAttribute("aria-pressed", "false");
  await page.keyboard.press("Enter");
  await work.prompt();
  await work.run("echo here");
  expect(await work.lines()).toContain("here");
});

for (const locale of locales) {
  testInTurn("a paused cluster says so to whoever types or waits, and goes on by key or button", locale, async ({ page }) => {
    const t = stringsFor(locale);
    const work = new Lab(page);
    await work.open(locale);
    const notice = page.locator(".terminal-notice");
    await page.locator(pauseButton).click();
    await expect(page.locator(pauseButton)).toHaveAttribute("aria-pressed", "true");
    await expect(notice).toHaveCount(0);
    await work.focus();
    await work.type("kubectl get ns\n");
    await expect(notice).toContainText(t("workbench.terminal.paused"));
    await page.keyboard.press("Control+Enter");
    await expect(notice).toHaveCount(0);
    await expect(work.screen).toContainText("kube-system");
    await work.prompt();
    // Something runs when the cluster is paused.
    await work.clear();
    await work.type("sleep 600\n");
    await page.locator(pauseButton).click();
    await expect(notice).toBeVisible();
    await notice.getByRole("button", { name: t("workbench.status.resume") }).click();
    await expect(page.locator(keyboard)).toBeFocused();
    await expect(notice).toHaveCount(0);
    await page.keyboard.press("Control+c");
    await work.prompt();
  });

  testInTurn("what is typed while a replay runs is kept, said to be kept, and comes after it", locale, async ({ page }) => {
    const t = stringsFor(locale);
    const work = new Lab(page);
    await work.open(locale);
    await work.run("kubectl create configmap before");
    await work.run("cat > twice <<< 'echo $1; echo $1'");
    // The lab's texts, and with them the replay, wait until something is typed.
    let typed = (): void => {};
    const open = new Promise<void>((resolve) => {
      typed = resolve;
    });
    await page.route(/\/labs\/[^/]+\.json$/, async (route) => {
      await open;
      await route.continue();
    });
    await page.reload();
    await page.locator("[data-lab] [data-open-lab]").click();
    await page.locator(keyboard).focus();
    await work.type("bash twice mean");
    await expect(page.locator(".terminal-notice")).toHaveText(t("workbench.terminal.kept"));
    await work.type("while\n");
    typed();
    await expect(page.locator(".terminal-notice")).toHaveCount(0);
    await expect
      .poll(async () => (await work.lines()).slice(-4))
      .toEqual([`${prompt} bash twice meanwhile`, "meanwhile", "meanwhile", prompt]);
  });
}

test("what is not here says what is, once, after bash's own words; internet hosts too", async ({ page }) => {
  const work = new Lab(page);
  await work.open();
  await work.run("helm list");
  expect((await work.lines())[1]).toBe("-bash: helm: command not found");
  expect((await work.lines())[2]).toMatch(/^No helm here: /);
  await work.run("curl -sS https://example.com");
  expect((await work.lines())[1]).toBe("curl: (6) Could not resolve host: example.com");
  expect((await work.lines())[2]).toMatch(/^example\.com is on the internet/);
  await work.run("help | tail -3 | head -1; type kubectl");
  expect(await work.lines()).toContain("kubectl is /usr/local/bin/kubectl");
});

for (const locale of locales) {
  testInTurn(
    "an image that no registry here has is told beside the terminal, with the list of those that are",
    locale,
    async ({ page }) => {
      const t = stringsFor(locale);
      const work = new Lab(page);
      await work.open(locale);
      await work.run("kubectl run db --image=postgres:16");
      const notice = page.locator(".terminal-notice");
      await expect(notice).toContainText(t("workbench.terminal.missingImage", { image: "postgres:16" }));
      const address = await notice.getByRole("link").getAttribute("href");
      await notice.getByRole("button").click();
      await expect(notice).toHaveCount(0);
      await expect(page.locator(keyboard)).toBeFocused();
      await page.goto(address ?? "");
      await expect(page.locator("#images h2")).toHaveText(t("sandbox.images.title"));
      for (const { name, tags } of listedImages) {
        const row = page
          .locator("#images tbody tr")
          .filter({ has: page.locator("th", { hasText: new RegExp(`^\\s*${name}\\s*$`) }) });
        expect(await row.locator("li").allInnerTexts()).toEqual(tags);
      }
    },
  );
}

test.describe("the first hour", () => {
  test.use({ permissions: ["clipboard-read", "clipboard-write"] });

  test("several lines pasted stand on the line until Enter, by Ctrl-Shift-V and by Ctrl-V", async ({ page }) => {
    const work = new Lab(page);
    await work.open();
    for (const keys of ["Control+Shift+v", "Control+v"]) {
      await work.clear();
      await page.evaluate(() => navigator.clipboard.writeText("echo one\necho two"));
      await page.keyboard.press(keys);
      await expect.poll(async () => work.lines()).toEqual([`${prompt} echo one`, "echo two"]);
      await page.keyboard.press("Enter");
      await expect.poll(async () => (await work.lines()).slice(2)).toEqual(["one", "two", prompt]);
    }
    await work.clear();
    await page.keyboard.press("ArrowUp");
    await expect.poll(async () => work.lines()).toEqual([`${prompt} echo one; echo two`]);
  });

  test("a word selected with the pointer is copied by Ctrl-Shift-C; Ctrl-C stays the shell's", async ({ page }) => {
    const work = new Lab(page);
    await work.open();
    await work.run("echo copied");
    const word = await page.locator(".screen:not([hidden]) .xterm-rows > div").nth(1).boundingBox();
    await page.mouse.dblclick((word?.x ?? 0) + 12, (word?.y ?? 0) + (word?.height ?? 0) / 2);
    await page.keyboard.press("Control+Shift+c");
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe("copied");
    await work.type("half a line");
    await page.keyboard.press("Control+c");
    await expect.poll(async () => (await work.lines()).at(-2)).toBe(`${prompt} half a line^C`);
  });

  test("readline's keys edit a line, also one of wide characters over several rows", async ({ page }) => {
    const work = new Lab(page);
    await work.open();
    await work.clear();
    await page.keyboard.insertText(`echo ${"集群状态".repeat(30)}`);
    await page.keyboard.press("Control+a");
    await work.type("#");
    await page.keyboard.press("Control+e");
    await page.keyboard.press("Backspace");
    await work.type("!");
    await page.keyboard.press("Home");
    await page.keyboard.press("Delete");
    await page.keyboard.press("Enter");
    await expect.poll(async () => (await work.lines()).slice(0, -1).join("")).toContain(`${"集群状态".repeat(29)}集群状!`);
    await work.clear();
    await work.type("echo one two");
    await page.keyboard.press("Control+w");
    await page.keyboard.press("Control+u");
    await page.keyboard.press("Control+y");
    await expect.poll(async () => work.lines()).toEqual([`${prompt} echo one`]);
    await page.keyboard.press("Control+u");
    await page.keyboard.press("Control+r");
    await work.type("状态");
    await expect.poll(async () => (await work.lines())[0]).toContain("(reverse-i-search)`状态':");
  });

  test("long output is scrolled back by the wheel, and the next key leads to its end", async ({ page }) => {
    const work = new Lab(page);
    await work.open();
    await work.type("seq 1 3000\n");
    await expect.poll(async () => (await work.lines()).at(-2)).toBe("3000");
    await page.locator(".screen:not([hidden]) .xterm-screen").hover();
    for (let turn = 0; turn < 10; turn += 1) await page.mouse.wheel(0, -240);
    await expect.poll(async () => Number((await work.lines()).at(-1))).toBeLessThan(2995);
    await work.type("e");
    await expect.poll(async () => (await work.lines()).at(-1)).toBe(`${prompt} e`);
  });
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  for (const locale of locales) {
    testInTurn(
      "a row of keys types what a touch keyboard lacks, and keeps the keyboard in the terminal",
      locale,
      async ({ page }) => {
        const t = stringsFor(locale);
        const work = new Lab(page);
        await page.goto(`/${locale}/${lesson}`);
        await page.locator("[data-show=lab]").tap();
        await work.prompt();
        const row = page.getByRole("toolbar", { name: t("workbench.keyRow.label") });
        const key = (name: "tab" | "ctrl" | "up" | "pipe" | "slash" | "dash" | "escape") =>
          row.getByRole("button", { name: t(`workbench.keyRow.${name}`), exact: true });
        for (const { width, height } of await row
          .getByRole("button")
          .evaluateAll((buttons) => buttons.map((button) => button.getBoundingClientRect()))) {
          expect(width).toBeGreaterThanOrEqual(44);
          expect(height).toBeGreaterThanOrEqual(44);
        }
        await page.locator(".screen:not([hidden]) .screen-place").tap();
        await work.type("kubectl get no");
        await key("tab").tap();
        await expect.poll(async () => (await work.lines()).at(-1)).toBe(`${prompt} kubectl get nodes`);
        await expect(page.locator(keyboard)).toBeFocused();
        await key("ctrl").tap();
        await expect(key("ctrl")).toHaveAttribute("aria-pressed", "true");
        await work.type("c");
        await expect.poll(async () => (await work.lines()).at(-2)).toBe(`${prompt} kubectl get nodes^C`);
        await expect(key("ctrl")).toHaveAttribute("aria-pressed", "false");
        await work.run("kubectl get nodes");
        // A table that needs 57 columns fits.
        expect(await work.lines()).toHaveLength(7);
        await work.clear();
        await key("up").tap();
        await expect.poll(async () => (await work.lines()).at(-1)).toBe(`${prompt} kubectl get nodes`);
        for (const sign of ["pipe", "slash", "dash"] as const) await key(sign).tap();
        await expect.poll(async () => (await work.lines()).at(-1)).toBe(`${prompt} kubectl get nodes|/-`);
        await key("escape").tap();
        await key("escape").tap();
        await expect(page.locator(keyboard)).toBeFocused();
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
      },
    );
  }

  test("a finger scrolls what was printed, not the page", async ({ page }) => {
    const work = new Lab(page);
    await page.goto(`/fr/${lesson}`);
    await page.locator("[data-show=lab]").tap();
    await work.prompt();
    await page.locator(".screen:not([hidden]) .screen-place").tap();
    await work.type("seq 1 300\n");
    await expect.poll(async () => (await work.lines()).at(-2)).toBe("300");
    const place = await page.locator(".screen:not([hidden]) .screen-place").boundingBox();
    const touch = await page.context().newCDPSession(page);
    const [x, top] = [(place?.x ?? 0) + 100, (place?.y ?? 0) + 30];
    await touch.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [{ x, y: top }] });
    for (let y = top + 15; y < top + 300; y += 15) {
      await touch.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: [{ x, y }] });
    }
    await touch.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
    await expect.poll(async () => Number((await work.lines()).at(-1))).toBeLessThan(295);
  });
});
