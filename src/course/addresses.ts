// Addresses of pages, under whatever folder a school puts the site.

import type { Locale } from "../i18n/locales.ts";

/** @param path from the site's root, without a leading slash, with a trailing one: "fr/about/". */
export function address(path: string): string {
  const base = import.meta.env.BASE_URL;
  return `${base.endsWith("/") ? base : `${base}/`}${path}`;
}

export function lessonAddress(locale: Locale, part: string, lesson: string): string {
  return address(`${locale}/${part}/${lesson}/`);
}
