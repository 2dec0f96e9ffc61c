// What a browser needs to install the course in one language as an application.

import type { APIRoute, GetStaticPaths } from "astro";
import { address } from "../../course/addresses.ts";
import { stringsFor } from "../../i18n/build.ts";
import { isLocale, languageTags, locales } from "../../i18n/locales.ts";

export const getStaticPaths: GetStaticPaths = () => locales.map((locale) => ({ params: { locale } }));

export const GET: APIRoute = ({ params }) => {
  const { locale } = params;
  if (!isLocale(locale)) throw new Error(`no web manifest in "${String(locale)}"`);
  const t = stringsFor(locale);
  const shortcut = (name: string, path: string): object => ({ name, url: address(`${locale}/${path}`) });
  return new Response(
    JSON.stringify({
      id: address(`${locale}/`),
      name: `Pilothouse · ${t("site.tagline")}`,
      short_name: "Pilothouse",
      description: t("site.description"),
      lang: languageTags[locale],
      dir: "ltr",
      start_url: address(`${locale}/`),
      scope: address(""),
      display: "standalone",
      background_color: "#faf8f2",
      theme_color: "#faf8f2",
      icons: [
        { src: address("mark.svg"), sizes: "any", type: "image/svg+xml" },
        { src: address("icon-192.png"), sizes: "192x192", type: "image/png" },
        { src: address("icon-512.png"), sizes: "512x512", type: "image/png", purpose: "any maskable" },
      ],
      shortcuts: [shortcut(t("nav.progress"), "progress/"), shortcut(t("nav.sandbox"), "sandbox/")],
    }),
    { headers: { "Content-Type": "application/manifest+json" } },
  );
};
