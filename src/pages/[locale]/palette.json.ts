// What the command palette leads to in one language, fetched when it is opened: lessons, words of the glossary, pages.

import type { APIRoute, GetStaticPaths } from "astro";
import { paletteEntries } from "../../course/palette-entries.ts";
import { isLocale, locales } from "../../i18n/locales.ts";

export const getStaticPaths: GetStaticPaths = () => locales.map((locale) => ({ params: { locale } }));

export const GET: APIRoute = async ({ params }) => {
  const { locale } = params;
  if (!isLocale(locale)) throw new Error(`no pages in "${String(locale)}"`);
  return Response.json(await paletteEntries(locale));
};
