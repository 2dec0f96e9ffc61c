// Pictures of one view and paper in all languages on one sheet, so that they are compared at a glance.

import { existsSync, readFileSync } from "node:fs";
import type { Browser } from "@playwright/test";
import type { Locale } from "#i18n/locales.ts";

export interface Shot {
  readonly view: string;
  readonly locale: Locale;
  readonly theme: "light" | "dark";
  readonly width: number;
  readonly height: number;
}

/** A sheet is as wide as four phones. */
const sheetWidth = 1600;

export class Sheets {
  readonly #folder: string;
  readonly #shots = new Map<string, Shot[]>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  add(shot: Shot): void {
    const name = `${shot.view}.${shot.width}.${shot.theme}`;
    this.#shots.set(name, [...(this.#shots.get(name) ?? []), shot]);
  }

  async write(browser: Browser): Promise<void> {
    const page = await browser.newPage({ viewport: { width: sheetWidth, height: 100 } });
    for (const [name, shots] of this.#shots) {
      const columns = (shots[0]?.width ?? 0) < 500 ? 4 : 2;
      const pictures = shots.map(({ locale }) => `${this.#folder}/${name}.${locale}.png`).filter((path) => existsSync(path));
      await page.setContent(
        `<body style="margin:0;display:grid;grid-template-columns:repeat(${columns},1fr);gap:6px;background:#888;align-items:start">
        ${pictures.map((path) => `<img style="width:100%" src="data:image/png;base64,${readFileSync(path, "base64")}">`).join("")}`,
      );
      await page.screenshot({ path: `${this.#folder}/sheets/${name}.png`, fullPage: true });
    }
    await page.close();
  }
}
