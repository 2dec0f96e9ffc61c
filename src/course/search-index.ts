// The search index, made from the built pages: one per language, of lessons only (what lies in `data-pagefind-body`).

import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { AstroIntegration } from "astro";
import { close, createIndex } from "pagefind";

/** Parts of a lesson that are controls, not text. */
const controls = [".block-tools", ".quiz-foot", ".lab-anchor", ".term-card", ".kicker", ".block-label", ".figure-enlarge"];

/** Pagefind's own dialogs and styles, which this site does not show. */
const ready = /^pagefind-(ui|modular-ui|component-ui|highlight)\./;

export function searchIndex(): AstroIntegration {
  return {
    name: "pilothouse-search",
    hooks: {
      "astro:build:done": async ({ dir, logger }) => {
        const folder = fileURLToPath(dir);
        const { index } = must(await createIndex({ excludeSelectors: controls }));
        if (index === undefined) throw new Error("the search index was not begun");
        must(await index.addDirectory({ path: folder }));
        const { files } = must(await index.getFiles());
        await close();
        const kept = files.filter(({ path }) => !ready.test(path));
        for (const { path, content } of kept) {
          const target = join(folder, "pagefind", path);
          await mkdir(dirname(target), { recursive: true });
          await writeFile(target, content);
        }
        logger.info(`search index: ${kept.filter(({ path }) => path.endsWith(".pf_fragment")).length} lessons`);
      },
    },
  };
}

function must<T extends { readonly errors: readonly string[] }>(answer: T): T {
  if (answer.errors.length > 0) throw new Error(`search index: ${answer.errors.join("; ")}`);
  return answer;
}
