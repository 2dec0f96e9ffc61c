// The pages that the command palette knows in one language.

import { stringsFor } from "../i18n/build.ts";
import type { Locale } from "../i18n/locales.ts";
import { address, lessonAddress } from "./addresses.ts";
import { capstoneOf, capstoneSlug } from "./capstones.ts";
import { readGlossary } from "./glossary.ts";
import { loadCourse, titleOf, writtenLessons } from "./lessons.ts";

export interface PaletteEntry {
  readonly group: "lessons" | "glossary" | "pages";
  readonly title: string;
  /** Other words it is found by: the English ones. */
  readonly also: string;
  /** Shown beside the title: the part of a lesson, the English word of another. */
  readonly note: string;
  readonly href: string;
}

/** In the course's order, then the dictionary's. */
export async function paletteEntries(locale: Locale): Promise<readonly PaletteEntry[]> {
  const parts = await loadCourse();
  const t = stringsFor(locale);
  const titles = new Map(parts.map((part) => [part.slug, part.title[locale]]));
  const page = (path: string, title: string): PaletteEntry => {
    return { group: "pages", title, also: path.replace("/", ""), note: "", href: address(`${locale}/${path}`) };
  };
  const lessons = writtenLessons(parts).map((lesson): PaletteEntry => {
    const href = lessonAddress(locale, lesson.part, lesson.slug);
    const also = lesson.slug.replaceAll("-", " ");
    return { group: "lessons", title: titleOf(lesson, locale), also, note: titles.get(lesson.part) ?? "", href };
  });
  const capstones = parts.flatMap((part): readonly PaletteEntry[] => {
    const capstone = capstoneOf(part);
    if (capstone === undefined) return [];
    const also = `capstone ${part.slug} ${t("capstone.name")}`;
    const href = lessonAddress(locale, part.slug, capstoneSlug);
    return [{ group: "lessons", title: capstone.title[locale], also, note: part.title[locale], href }];
  });
  const glossary = readGlossary(parts, locale).map(({ term, anchor }): PaletteEntry => {
    const [title, en] = [term[locale], term.en];
    return {
      group: "glossary",
      title,
      also: en,
      note: en === title ? "" : en,
      href: `${address(`${locale}/glossary/`)}#${anchor}`,
    };
  });
  return [
    page("", t("nav.home")),
    page("sandbox/", t("nav.sandbox")),
    page("glossary/", t("nav.glossary")),
    page("progress/", t("nav.progress")),
    page("about/", t("nav.about")),
    page("hosting/", t("nav.hosting")),
    ...lessons,
    ...capstones,
    ...glossary,
  ];
}
