// What search knows in one language: heads.json, and the texts of each part's lessons in a file of its own. Fetched when search is opened.

import { render } from "astro:content";
import { readFileSync } from "node:fs";
import type { APIRoute, GetStaticPaths } from "astro";
import { type Capstone, capstoneOf, capstoneSlug } from "../../../course/capstones.ts";
import { type LessonEntry, loadCourse } from "../../../course/lessons.ts";
import { type IndexedPart, makeHeads, makeTexts } from "../../../course/search/make-index.ts";
import { stringsFor } from "../../../i18n/build.ts";
import { isLocale, type Locale, locales } from "../../../i18n/locales.ts";

export const getStaticPaths: GetStaticPaths = async () =>
  (await Promise.all(locales.map(indexedParts))).flatMap((parts, index) =>
    ["heads", ...parts.map(({ slug }) => slug)].map((file) => ({
      params: { locale: locales[index], file },
      props: { parts, file },
    })),
  );

export const GET: APIRoute<{ readonly parts: readonly IndexedPart[]; readonly file: string }> = ({ props, params }) => {
  const { locale } = params;
  if (!isLocale(locale)) throw new Error(`no search in "${String(locale)}"`);
  const part = props.parts.find(({ slug }) => slug === props.file);
  return Response.json(part === undefined ? makeHeads(props.parts, locale) : makeTexts(part));
};

/** The parts that have written lessons. */
async function indexedParts(locale: Locale): Promise<readonly IndexedPart[]> {
  const parts = await loadCourse();
  const indexed = parts.map(async (part): Promise<IndexedPart> => {
    const written = part.lessons.flatMap((lesson) =>
      lesson.editions === undefined ? [] : [{ slug: lesson.slug, entry: lesson.editions[locale] }],
    );
    const lessons = await Promise.all(written.map(({ slug, entry }) => indexedLesson(slug, entry)));
    const capstone = capstoneOf(part);
    return {
      slug: part.slug,
      title: part.title[locale],
      lessons: capstone === undefined ? lessons : [...lessons, indexedCapstone(capstone, locale)],
    };
  });
  return (await Promise.all(indexed)).filter(({ lessons }) => lessons.length > 0);
}

async function indexedLesson(slug: string, entry: LessonEntry): Promise<IndexedPart["lessons"][number]> {
  const { headings } = await render(entry);
  const anchors = headings.filter(({ depth }) => depth === 2 || depth === 3).map((heading) => heading.slug);
  return {
    slug,
    title: entry.data.title,
    summary: entry.data.summary,
    source: readFileSync(entry.filePath ?? "", "utf8"),
    anchors,
  };
}

function indexedCapstone({ title, story, tasks }: Capstone, locale: Locale): IndexedPart["lessons"][number] {
  return {
    slug: capstoneSlug,
    title: title[locale],
    summary: stringsFor(locale)("capstone.name"),
    source: [story[locale], ...tasks.map((task) => `- ${task.title[locale]}`)].join("\n"),
    anchors: [],
  };
}
