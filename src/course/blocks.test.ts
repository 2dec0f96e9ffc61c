import { describe, expect, it } from "vitest";
import { parseBlockMeta } from "./code-blocks.ts";
import { fillFigure } from "./figures.ts";
import { withInlineCode } from "./inline-code.ts";
import { findTerm } from "./terminology.ts";

describe("marks of a code block", () => {
  it("are run, output, file and lines", () => {
    expect(parseBlockMeta("")).toEqual({ run: false, output: false, file: undefined, marked: new Set() });
    expect(parseBlockMeta("run")).toMatchObject({ run: true });
    expect(parseBlockMeta("output")).toMatchObject({ output: true });
    expect(parseBlockMeta('file="web.yaml" {2,4-6}')).toMatchObject({ file: "web.yaml", marked: new Set([2, 4, 5, 6]) });
  });

  it("are refused when unknown or contradictory", () => {
    expect(() => parseBlockMeta("rnu")).toThrow('"rnu" after the language of a code block is not known');
    expect(() => parseBlockMeta("run output")).toThrow("a code block is either run or output");
  });
});

describe("a figure", () => {
  const svg = '<svg viewBox="0 0 1 1"><title>{{alt}}</title><text>{{who}}</text></svg>';

  it("gets its words and its text alternative", () => {
    expect(fillFigure(svg, { who: "A & B" }, 'One "thing"', "figure-1", "f.svg")).toBe(
      '<svg role="img" aria-labelledby="figure-1" viewBox="0 0 1 1"><title id="figure-1">One &quot;thing&quot;</title><text>A &amp; B</text></svg>',
    );
  });

  it("is refused with words missing, words left over, or no text alternative", () => {
    expect(() => fillFigure(svg, {}, "x", "i", "f.svg")).toThrow("f.svg needs labels: who");
    expect(() => fillFigure(svg, { who: "a", what: "b" }, "x", "i", "f.svg")).toThrow("f.svg has no place for labels: what");
    expect(() => fillFigure(svg, { who: "a" }, "", "i", "f.svg")).toThrow('f.svg needs alt="…"');
  });
});

describe("texts in attributes", () => {
  it("may hold code and are otherwise plain", () => {
    expect(withInlineCode("see `kubectl get <x>` & <b>")).toBe("see <code>kubectl get &lt;x&gt;</code> &amp; &lt;b&gt;");
  });
});

describe("the glossary", () => {
  it("finds a word in four languages", () => {
    expect(findTerm("node")).toMatchObject({ fr: "nœud", zh: "节点", ja: "ノード", es: "nodo" });
  });

  it("names its neighbours when a word is not there", () => {
    expect(() => findTerm("control plan")).toThrow('content/terminology.yaml has no entry "control plan"; near it: control plane');
  });
});
