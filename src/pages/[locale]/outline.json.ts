// What the classroom's server knows of the course, in one language: titles of lessons, labs and steps, and what steps count.

import type { APIRoute } from "astro";
import { readOutline } from "../../classroom/page/read-outline.ts";
import { type Locale, locales } from "../../i18n/locales.ts";

export function getStaticPaths() {
  return locales.map((locale) => ({ params: { locale }, props: { locale } }));
}

export const GET: APIRoute<{ readonly locale: Locale }> = async ({ props: { locale } }) => Response.json(await readOutline(locale));
