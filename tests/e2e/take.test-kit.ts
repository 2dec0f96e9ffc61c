// The `test` of the specs whose tests stand in one language. In a usual run of all tests (PILOTHOUSE_TURNS) those of specs whose
// subject changed lately run all, of the others a third, which turns with the commit; the rest is counted as skipped.

import { basename } from "node:path";
import { test as everyTest } from "@playwright/test";
import { changedLately, hasItsTurn, isAbout, takesAll } from "../turns.ts";

const turning = process.env["PILOTHOUSE_TURNS"] !== undefined && !takesAll();
const changed = turning ? changedLately() : [];

export const test = everyTest.extend<{ turn: undefined }>({
  turn: [
    async ({ browserName: _ }, use, info) => {
      const spec = basename(info.file);
      const taken = !turning || isAbout(spec, changed) || hasItsTurn(`${spec} ${info.titlePath.slice(1).join(" › ")}`, 3);
      info.skip(!taken, "another commit's turn");
      await use(undefined);
    },
    { auto: true },
  ],
});
