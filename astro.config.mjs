// The site's build. Output is static; any web server can carry it, also under a sub-path (PILOTHOUSE_BASE).

import { satteri } from "@astrojs/markdown-satteri";
import mdx from "@astrojs/mdx";
import { defineConfig } from "astro/config";
import { createLogger } from "vite";
import { checkContent } from "./src/course/check-integration.ts";
import { codeBlockMarks } from "./src/course/code-blocks.ts";
import { inkDark, paperLight } from "./src/course/code-themes.ts";
import { searchIndex } from "./src/course/search-index.ts";

function quietLogger() {
  const logger = createLogger("info", { prefix: "[vite]" });
  const { warn, warnOnce } = logger;
  const isNoise = (message) => message.includes("MODULE_LEVEL_DIRECTIVE");
  logger.warn = (message, options) => (isNoise(message) ? undefined : warn(message, options));
  logger.warnOnce = (message, options) => (isNoise(message) ? undefined : warnOnce(message, options));
  return logger;
}

export default defineConfig({
  site: process.env.PILOTHOUSE_SITE,
  base: process.env.PILOTHOUSE_BASE ?? "/",
  outDir: process.env.PILOTHOUSE_OUT ?? "./dist",
  output: "static",
  trailingSlash: "always",
  devToolbar: { enabled: false },
  integrations: [checkContent(), mdx(), searchIndex()],
  markdown: {
    // Authors write the typographic characters of their language themselves (language-style.md).
    processor: satteri({ features: { smartPunctuation: false } }),
    shikiConfig: {
      themes: { light: paperLight, dark: inkDark },
      defaultColor: false,
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
