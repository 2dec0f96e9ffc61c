// All lesson files of the checkout against the curriculum and against each other, as lines "path:line: message".

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isLocale, locales } from "../i18n/locales.ts";
import type { Part } from "./curriculum.ts";
import { headProblems } from "./frontmatter.ts";

const folder = "content/lessons";

/** @returns one line per problem; empty when all files are right. */
export function lessonProblems(parts: readonly Part[], root = process.cwd()): readonly string[] {
  const known = new Set(parts.flatMap((part) => part.lessons.map((lesson) => `${part.slug}/${lesson.slug}`)));
  const files = existsSync(join(root, folder)) ? readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }) : [];
  return files
    .filter((file) => file.endsWith(".mdx"))
    .sort()
    .flatMap((file) => {
      const path = `${folder}/${file}`;
      const [locale, part, lesson, ...rest] = file.replace(/\.mdx$/, "").split("/");
      if (!isLocale(locale)) return [`${path}:1: lessons lie in folders of a language: ${locales.join(", ")}`];
      if (part === undefined || lesson === undefined || rest.length > 0)
        return [`${path}:1: a lesson lies at <language>/<part>/<lesson>.mdx`];
      if (!known.has(`${part}/${lesson}`))
        return [`${path}:1: content/curriculum.yaml has no lesson "${lesson}" in a part "${part}"`];
      return headProblems(path, readFileSync(join(root, path), "utf8"));
    });
}
