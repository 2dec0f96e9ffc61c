// The pages beside the lessons: one shape in all four languages; what the page for hosting says of the program is so.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { locales } from "#i18n/locales.ts";
import { helpText, readArguments } from "../../src/classroom/server/arguments.ts";

const folder = "content/pages";
const names = readdirSync(join(folder, "fr"));
const sourceOf = (locale: string, name: string): string => readFileSync(join(folder, locale, name), "utf8");
const fences = (source: string): readonly string[] => [...source.matchAll(/^```[\s\S]*?^```$/gm)].map(([fence]) => fence);
const withoutFences = (source: string): string => source.replaceAll(/^```[\s\S]*?^```$/gm, "");
/** Commands are the same in all languages, but for what stands in angle brackets and the name of the terminal. */
const plain = (fence: string): string => fence.replace(/<[^<>\s]+>/g, "<>").replace(/^```sh file=\S+/, "```sh");

describe.each(names)("%s", (name) => {
  it("is there in every language, with the same headings, lists, tables, blocks and links", () => {
    const shape = (locale: string): object => {
      const text = withoutFences(sourceOf(locale, name));
      return {
        headings: [...text.matchAll(/^(#+) /gm)].map(([, marks]) => marks),
        items: [...text.matchAll(/^- /gm)].length,
        rows: [...text.matchAll(/^\|.*\|$/gm)].map(([row]) => row.split("|").length),
        links: [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, target]) => target),
        code: [...new Set([...text.matchAll(/`([^`]+)`/g)].map(([, code]) => code))].sort(),
        blocks: fences(sourceOf(locale, name)).map(plain),
      };
    };
    for (const locale of locales) expect(shape(locale), locale).toEqual(shape("fr"));
  });

  it("leads to pages that there are", () => {
    for (const [, target = ""] of sourceOf("fr", name).matchAll(/\]\(([^)]+)\)/g))
      expect(existsSync(`src/pages/[locale]/${target.replace(/^\.\.\/|\/$/g, "")}.astro`), target).toBe(true);
  });
});

describe("the page for hosting", () => {
  const source = sourceOf("fr", "hosting.mdx");

  it("names options, scripts and files that there are", () => {
    const commands = fences(source).join("\n");
    const options = [...source.matchAll(/`(--[a-z-]+)`/g), ...commands.matchAll(/classroom -- (.*)$/gm)]
      .flatMap(([, text = ""]) => text.split(" "))
      .filter((word) => word.startsWith("--"));
    expect(options.length).toBeGreaterThan(8);
    for (const option of options) expect(helpText).toContain(`  ${option} `);
    const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { readonly scripts: object };
    for (const [, script = ""] of commands.matchAll(/npm run ([\w:]+)/g)) expect(Object.keys(scripts)).toContain(script);
    const paths = [...source.matchAll(/src\/classroom\/[\w./-]+/g)].map(([path]) => path);
    expect(paths.length).toBeGreaterThan(5);
    // The password is made before the first start.
    for (const path of paths) expect(path.endsWith("/database-password") || existsSync(path), path).toBe(true);
  });

  it.each(locales)("in %s tells the days for which things are kept as they are", (locale) => {
    const read = readArguments([], {});
    if (read === "help") throw new Error("no arguments");
    const { runsDays, learnersDays, auditDays } = read.keeping;
    const days = [...sourceOf(locale, "hosting.mdx").matchAll(/(\d{3})[ \u00a0\u202f]?(?:jours|天|日|días)/g)].map(([, count]) =>
      Number(count),
    );
    expect(days).toEqual([learnersDays, runsDays, learnersDays, auditDays]);
  });

  it.each(locales)("in %s has the server's answers as they are", (locale) => {
    for (const path of ["/api/live", "/api/ready"]) expect(sourceOf(locale, "hosting.mdx")).toContain(`\`${path}\``);
  });
});
