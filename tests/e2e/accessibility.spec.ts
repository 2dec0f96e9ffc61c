// Every kind of page, in every language, on both papers: nothing that axe objects to.

import { expect, test } from "@playwright/test";
import { contextOf, findings, type View, views } from "./axe-views.test-kit.ts";
import { shareOf } from "./in-turn.test-kit.ts";

const isTaken = ({ onBothPapers, paper }: View): boolean =>
  onBothPapers === undefined || shareOf(onBothPapers, ["light", "dark"], 1).has(paper);

for (const view of views) {
  test.describe(() => {
    test.use(contextOf(view));
    (isTaken(view) ? test : test.skip)(`${view.title}: no accessibility violations`, async ({ page }) => {
      expect(await findings(page, view)).toEqual([]);
    });
  });
}
