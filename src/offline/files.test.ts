import { describe, expect, it } from "vitest";
import { sortFiles } from "./files.ts";

describe("files for use without a connection", () => {
  it("are pages, labs and index of one language, and what all languages share", () => {
    const paths = [
      "index.html",
      "404.html",
      "sw.js",
      "robots.txt",
      "sitemap-index.xml",
      "assets/worker-abc.js",
      "fr/index.html",
      "zh/about/index.html",
      "labs/web.fr.json",
      "labs/web.zh.json",
      "pagefind/pagefind.js",
      "pagefind/wasm.unknown.pagefind",
      "pagefind/wasm.fr.pagefind",
      "pagefind/pagefind.zh-hans_12.pf_meta",
      "pagefind/fragment/zh-hans_ab.pf_fragment",
      "pagefind/fragment/fr_ab.pf_fragment",
    ];
    const sorted = sortFiles(new Map(paths.map((path) => [path, "h"])), "v");
    const addresses = (files: readonly (readonly [string, string])[]): readonly string[] => files.map(([address]) => address);
    expect(addresses(sorted.shared)).toEqual([
      "assets/worker-abc.js",
      "",
      "pagefind/pagefind.js",
      "pagefind/wasm.unknown.pagefind",
    ]);
    expect(addresses(sorted.languages.fr)).toEqual([
      "fr/",
      "labs/web.fr.json",
      "pagefind/fragment/fr_ab.pf_fragment",
      "pagefind/wasm.fr.pagefind",
    ]);
    expect(addresses(sorted.languages.zh)).toEqual([
      "labs/web.zh.json",
      "pagefind/fragment/zh-hans_ab.pf_fragment",
      "pagefind/pagefind.zh-hans_12.pf_meta",
      "zh/about/",
    ]);
    expect(sorted.languages.ja).toEqual([]);
  });
});
