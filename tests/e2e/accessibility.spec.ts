// Every kind of page, in every language, on both papers: nothing that axe objects to.

import { expect, test } from "@playwright/test";
import { contextOf, findings, views } from "./axe-views.ts";

for (const view of views) {
  test.describe(() => {
    test.use(contextOf(view));
    test(`${view.title}: no accessibility violations`, async ({ page }) => {
      expect(await findings(page, view)).toEqual([]);
    });
  });
}
