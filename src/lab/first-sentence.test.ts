import { describe, expect, it } from "vitest";
import { cutFirstSentence } from "./first-sentence.ts";

describe("the first sentence of an explanation", () => {
  it.each([
    ["<p>Le garbage collector agit. Le reste suit.</p>", "Le garbage collector agit.", "<p>Le reste suit.</p>"],
    ["<p>标签相同。副本不变。</p>", "标签相同。", "<p>副本不变。</p>"],
    ["<p><code>kubectl get. x</code>が答えます。次です。</p>", "<code>kubectl get. x</code>が答えます。", "<p>次です。</p>"],
    ["<p>La versión 1.36 basta</p>", "La versión 1.36 basta", ""],
    ["<p>Uno.</p>\n<ul><li>dos</li></ul>", "Uno.", "<ul><li>dos</li></ul>"],
    ["<pre>x</pre>", "<pre>x</pre>", ""],
  ])("%s", (html, firstHtml, restHtml) => {
    expect(cutFirstSentence(html)).toEqual({ firstHtml, restHtml });
  });
});
