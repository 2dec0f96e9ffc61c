// The lab as a person works in it: opened by its button, typed into, read off the screen. Waits for states, never for time.

import { expect, type Locator, type Page } from "@playwright/test";
import type { Locale } from "../../src/i18n/locales.ts";
import { labFromSources, labTextsFromSources } from "../../src/lab/catalog.ts";
import { readLabSources } from "../../src/server/lab-files.ts";
import { splitCommands } from "../typist.ts";
import { lesson } from "./pages.test-kit.ts";

const sources = readLabSources();

export const lab = labFromSources(sources, "deployment-create");

export const textsIn = (locale: Locale) => labTextsFromSources(sources, lab, locale);

/** The prompt on a terminal's last line that holds anything. */
const promptPattern = /\S+@\S+:\S*\$ ?$/;
const promptStart = /^\S+@\S+:\S*\$/;
/** How soon the screen is looked at again: a terminal answers faster than a page. */
const looks = [10, 20, 40, 80, 160];
/** What comes within this time needs no hurry. */
const soonMs = 300;

export class Lab {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** Opens the lab of the lesson and waits for its prompt. */
  async open(locale: Locale = "fr"): Promise<void> {
    await this.page.goto(`/${locale}/${lesson}`);
    await this.begin();
  }

  /** The lesson's page is there: opens its lab. */
  async begin(): Promise<void> {
    await this.page.locator("[data-lab] [data-open-lab]").click();
    await this.ready();
  }

  async ready(): Promise<void> {
    await expect(this.page.locator(".nodes-ready")).toBeVisible();
    await this.prompt();
  }

  get screen(): Locator {
    return this.page.locator(".screen:not([hidden]) .xterm-rows");
  }

  get steps(): Locator {
    return this.page.locator(".step");
  }

  get current(): Locator {
    return this.page.locator(".step[data-state=current]");
  }

  get missing(): Locator {
    return this.current.locator(".missing li");
  }

  /** Lines on the screen, without the empty ones at its end. */
  async lines(): Promise<readonly string[]> {
    const rows = await this.page.locator(".screen:not([hidden]) .xterm-rows > div").allTextContents();
    const lines = rows.map((row) => row.replaceAll("\u00a0", " ").trimEnd());
    while (lines.at(-1) === "") lines.pop();
    return lines;
  }

  async prompt(): Promise<void> {
    await expect
      .poll(async () => (await this.lines()).at(-1) ?? "", { message: "a prompt", intervals: looks })
      .toMatch(promptPattern);
  }

  get passed(): Locator {
    return this.page.locator(".step[data-state=passed]");
  }

  get backMenu(): Locator {
    return this.page.locator("#back-menu");
  }

  /** 60×, by its button: what a command waits for comes sixty times sooner. */
  async hurry(): Promise<void> {
    await this.#setSpeed("last");
  }

  async #setSpeed(which: "first" | "last"): Promise<void> {
    await this.page.locator(".speeds button")[which]().click();
    await this.focus();
  }

  /**
   * Waits by `wait`, at 60× where it does not come soon, and goes on at 1×: at 60× minutes of the cluster would pass on a slow machine
   * while the next line is typed.
   */
  async wait(wait: (options: { timeout?: number }) => Promise<void>): Promise<void> {
    try {
      await wait({ timeout: soonMs });
    } catch {
      await this.#setSpeed("last");
      await wait({});
      await this.#setSpeed("first");
    }
  }

  async skipMinute(): Promise<void> {
    await this.#skip(1, 59_000);
  }

  /** Lets time pass at once, by an item of the status line's menu. */
  async #skip(item: number, atLeastMs: number): Promise<void> {
    const clock = this.page.locator(".virtual-time");
    const read = async (): Promise<number> => Date.parse((await clock.getAttribute("datetime")) ?? "");
    const before = await read();
    await this.page.locator("[popovertarget=skip-menu]").first().click();
    await this.page.locator("#skip-menu button").nth(item).click();
    await expect.poll(read, { message: "later", intervals: looks }).toBeGreaterThan(before + atLeastMs);
    await this.focus();
  }

  /** Opens the menu of moments to go back to, the latest first. */
  async openBackMenu(): Promise<Locator> {
    await this.page.locator(".bench-tools > [popovertarget=back-menu]").click();
    await expect(this.backMenu).toHaveAttribute("aria-busy", "false");
    await expect(this.backMenu.locator(".menu-note")).toBeVisible();
    return this.backMenu.locator(".moment");
  }

  /** Before what is typed next. */
  async moment(): Promise<number> {
    const count = await (await this.openBackMenu()).count();
    await this.page.keyboard.press("Escape");
    await expect(this.backMenu).toBeHidden();
    await this.focus();
    return count;
  }

  /** Back to what `moment` named. */
  async goBackTo(moment: number): Promise<void> {
    const moments = await this.openBackMenu();
    await moments.nth((await moments.count()) - 1 - moment).click();
  }

  async focus(): Promise<void> {
    await this.page.locator(".screen:not([hidden]) .xterm-helper-textarea").focus();
  }

  /** Esc Esc, again where a busy machine kept the two apart, until the keyboard is on the terminal's tab. */
  async leave(): Promise<void> {
    await expect(async () => {
      await this.page.keyboard.press("Escape");
      await this.page.keyboard.press("Escape");
      await expect(this.page.locator("[role=tab][aria-selected=true]")).toBeFocused({ timeout: 300 });
    }).toPass({ intervals: [700] });
  }

  /** Types keys one by one, as a keyboard does. */
  async type(keys: string): Promise<void> {
    await this.page.keyboard.type(keys);
  }

  /** Types one command with Enter and waits until the shell asks for the next. Says when it is done by a mark of its own, so
   * that a prompt from before is not taken for the one after. */
  async run(command: string): Promise<void> {
    await this.clear();
    await this.type(command);
    if (!command.includes("\n")) await this.#stands(command);
    await this.page.keyboard.press("Enter");
    if (/^sleep \d{3}$/.test(command)) await this.#skip(2, 299_000);
    const background = command.endsWith("&");
    const isAsked = async (): Promise<boolean> => {
      const after = (await this.lines()).slice(1);
      // What a command in the background prints comes behind the prompt.
      return background ? after.some((line) => promptStart.test(line)) : promptPattern.test(after.at(-1) ?? "");
    };
    await this.wait(({ timeout = 120_000 }) =>
      expect.poll(isAsked, { message: `the prompt after: ${command}`, timeout, intervals: looks }).toBe(true),
    );
  }

  /** Ctrl-L, once the keyboard is the terminal's: the prompt alone on an empty screen. */
  async clear(): Promise<void> {
    await expect(this.page.locator(".screen:not([hidden]) .xterm-helper-textarea")).toBeFocused();
    // Again where something in the background prints meanwhile.
    await expect(async () => {
      await this.page.keyboard.press("Control+l");
      await expect
        .poll(async () => (await this.lines()).length, { message: "an empty screen", intervals: looks, timeout: 5000 })
        .toBe(1);
    }).toPass({ intervals: looks, timeout: 60_000 });
  }

  /** A key that got lost would be read as the lab's mistake. Rows end without their blanks, so blanks are not compared. */
  async #stands(command: string): Promise<void> {
    const bare = (text: string): string => text.replace(/\s/g, "");
    const onScreen = async (): Promise<string> => bare((await this.lines()).join(""));
    await expect
      .poll(onScreen, { message: `all keys on the screen: ${command}`, intervals: looks })
      .toContain(bare(command).slice(-200));
  }

  async runScript(script: string): Promise<void> {
    for (const command of splitCommands(script)) await this.run(command);
  }

  /** The world's seed and inputs as the browser keeps them. */
  async kept(): Promise<string | null> {
    return this.page.evaluate(() => localStorage.getItem("pilothouse.lab.deployment-create"));
  }
}
