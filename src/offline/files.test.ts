import { describe, expect, it } from "vitest";
import { sortFiles } from "./files.ts";

describe("files for use without a connection", () => {
  it("are pages, labs and index of one language, and what all languages share", () => {
    const paths = [
      "index.html",
      "404.html",
      "sw.js",
      "offline-files.json",
      "robots.txt",
      "sitemap-index.xml",
      "assets/worker-abc.js",
      "fr/index.html",
      "fr/join/index.html",
      "fr/verify/index.html",
      "class/index.html",
      "fr/class/index.html",
      "fr/outline.json",
      "assets/class.astro_astro_type_script_index_0_lang.abc.js",
      "assets/class.abc.css",
      "assets/shown-run.abc.js",
      "zh/about/index.html",
      "labs/web.fr.json",
      "labs/web.zh.json",
      "fr/search/heads.json",
      "zh/search/objects.json",
    ];
    const sorted = sortFiles(new Map(paths.map((path) => [path, "h"])), "v");
    const addresses = (files: readonly (readonly [string, string])[]): readonly string[] => files.map(([address]) => address);
    expect(addresses(sorted.shared)).toEqual(["assets/worker-abc.js", ""]);
    expect(addresses(sorted.languages.fr)).toEqual(["fr/", "fr/search/heads.json", "labs/web.fr.json"]);
    expect(addresses(sorted.languages.zh)).toEqual(["labs/web.zh.json", "zh/about/", "zh/search/objects.json"]);
    expect(sorted.languages.ja).toEqual([]);
  });
});
