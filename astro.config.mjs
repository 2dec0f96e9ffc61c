// The site's build. Output is static; any web server can carry it, also under a sub-path (PILOTHOUSE_BASE). Whoever publishes it says
// where (PILOTHOUSE_SITE=https://…): only then are there absolute addresses for search engines, and a sitemap.

import { satteri } from "@astrojs/markdown-satteri";
import mdx from "@astrojs/mdx";
import sitemap from "@astrojs/sitemap";
import { defineConfig } from "astro/config";
import { createLogger } from "vite";
import { checkContent } from "./src/course/check-integration.ts";
import { codeBlockMarks } from "./src/course/code-blocks.ts";
import { codeTheme } from "./src/course/code-theme.ts";
import { languageTags } from "./src/i18n/locales.ts";
import { offlineUse } from "./src/offline/integration.ts";
import { packedFiles } from "./src/tools/pack.mjs";

function quietLogger() {
  const logger = createLogger("info", { prefix: "[vite]" });
  const { warn, warnOnce } = logger;
  const isNoise = (message) => message.includes("MODULE_LEVEL_DIRECTIVE");
  logger.warn = (message, options) => (isNoise(message) ? undefined : warn(message, options));
  logger.warnOnce = (message, options) => (isNoise(message) ? undefined : warnOnce(message, options));
  return logger;
}

const site = process.env.PILOTHOUSE_SITE;
const base = process.env.PILOTHOUSE_BASE ?? "/";

/** The front page, where one chooses a language, belongs to none of them. */
function frontPageIsNeutral(item) {
  const front = new URL(base.endsWith("/") ? base : `${base}/`, site).href;
  return { ...item, links: item.links?.map((link) => (link.url === front ? { ...link, lang: "x-default" } : link)) };
}

const isForSearch = (page) => !/\/(offline|class)\/$/.test(page);

const siteMap = () =>
  sitemap({ i18n: { defaultLocale: "fr", locales: languageTags }, filter: isForSearch, serialize: frontPageIsNeutral });

export default defineConfig({
  site,
  base,
  outDir: process.env.PILOTHOUSE_OUT ?? "./dist",
  output: "static",
  trailingSlash: "always",
  devToolbar: { enabled: false },
  integrations: [checkContent(), mdx(), ...(site === undefined ? [] : [siteMap()]), offlineUse(), packedFiles()],
  markdown: {
    // Authors write the typographic characters of their language themselves (language-style.md).
    processor: satteri({ features: { smartPunctuation: false } }),
    shikiConfig: {
      theme: codeTheme,
      transformers: [codeBlockMarks()],
    },
  },
  build: { inlineStylesheets: "never", assets: "assets" },
  vite: {
    // Astro's own marker on MDX modules, which the bundler does not know, would be reported once per lesson.
    customLogger: quietLogger(),
    // Worlds and terminals come on demand; a warning about their size says nothing new.
    build: { chunkSizeWarningLimit: 1200, cssTarget: ["chrome125", "firefox128", "safari17.5"] },
    worker: { format: "es" },
  },
});
