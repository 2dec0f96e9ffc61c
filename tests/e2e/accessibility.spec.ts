// Every kind of page, in every language, on both papers: nothing that axe objects to.

import { expect, test } from "@playwright/test";
import { contextOf, findings, views } from "./axe-views.test-kit.ts";
import { shareOf } from "./in-turn.test-kit.ts";

/** Of each kind of page a usual run takes a quarter of its views: two of the eight that four languages on two papers make. */
const taken = new Set(
  [...Map.groupBy(views, ({ kind }) => kind)].flatMap(([kind, alike]) => {
    const titles = alike.map(({ title }) => title);
    return kind === undefined ? titles : [...shareOf(`axe ${kind}`, titles, Math.ceil(titles.length / 4))];
  }),
);

for (const view of views) {
  test.describe(() => {
    test.use(contextOf(view));
    (taken.has(view.title) ? test : test.skip)(`${view.title}: no accessibility violations`, async ({ page }) => {
      expect(await findings(page, view)).toEqual([]);
    });
  });
}
