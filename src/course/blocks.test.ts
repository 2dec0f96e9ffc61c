import { describe, expect, it } from "vitest";
import { parseBlockMeta, saysMessage } from "./code-blocks.ts";
import { fillFigure } from "./figures.ts";
import { breakBeforeSigns, keepWhole, withInlineCode } from "./inline-code.ts";
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

describe("a line of an answer", () => {
  it.each([
    ['Error from server (NotFound): pods "web" not found', true],
    ["error: a valid key must consist of 'key.name',  or 'KEY_NAME'", true],
    ["NAME   READY   STATUS", false],
    ["first\tsecond", false],
    ["  Type    Reason", false],
    ["", false],
  ])("%j breaks between words: %s", (line, breaks) => {
    expect(saysMessage(parseBlockMeta("output"), "text", line)).toBe(breaks);
  });

  it("is not sought in commands and files", () => {
    expect(saysMessage(parseBlockMeta("run"), "sh", "kubectl get pods")).toBe(false);
    expect(saysMessage(parseBlockMeta("file=notes.txt"), "text", "a line")).toBe(false);
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
    expect(withInlineCode("see `kubectl get <x>` & <b>")).toBe(
      'see <code>kubectl get <span class="whole">&lt;x&gt;</span></code> &amp; &lt;b&gt;',
    );
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

describe("code on narrow lines", () => {
  it("keeps an option and its dashes together, and breaks a long name behind its slash", () => {
    expect(withInlineCode("`kubectl get pods -l app=web --sort-by=.metadata.name`")).toBe(
      '<code>kubectl get pods <span class="whole">-l</span> app=web <span class="whole">--sort-by</span>=.metadata.name</code>',
    );
    expect(withInlineCode("`hash=<valeur>`")).toBe('<code>hash=<span class="whole">&lt;valeur&gt;</span></code>');
    expect(withInlineCode("`app.kubernetes.io/name` and `apps/v1` - `a-b`")).toBe(
      "<code>app.kubernetes.io/<wbr>name</code> and <code>apps/v1</code> - <code>a-b</code>",
    );
  });

  it("lets an option that is wider than a phone break behind its inner dashes", () => {
    expect(withInlineCode("`--default-unreachable-toleration-seconds`")).toBe(
      '<code><span class="whole">--default</span>-unreachable-toleration-seconds</code>',
    );
    expect(withInlineCode("`--experimental-startup-taint-time-out`")).toBe(
      '<code><span class="whole">--experimental</span>-startup-taint-time-out</code>',
    );
    expect(withInlineCode("`--kubelet-certificate-authority`")).toBe(
      '<code><span class="whole">--kubelet-certificate-authority</span></code>',
    );
  });

  it("breaks a long selector behind its commas and equals signs", () => {
    expect(withInlineCode("`tier=frontend,environment=production`")).toBe(
      "<code>tier=<wbr>frontend,<wbr>environment=<wbr>production</code>",
    );
  });

  it("breaks a long name between its words, where a table asks for it", () => {
    expect(withInlineCode("`startingDeadlineSeconds` and `backoffLimit`")).toBe(
      '<code>starting<wbr class="hump">Deadline<wbr class="hump">Seconds</code> and <code>backoffLimit</code>',
    );
  });

  it("may begin a line with a sign after a Chinese or Japanese mark", () => {
    expect(withInlineCode("用户：`--token`、`--user`，或者 `-n`；`/srv`。")).toBe(
      '用户：<wbr><code><span class="whole">--token</span></code>、<wbr><code><span class="whole">--user</span></code>，或者 <code><span class="whole">-n</span></code>；<wbr><code>/srv</code>。',
    );
    expect(breakBeforeSigns("<strong>用户：</strong><code>--token</code>、<strong><code>-n</code></strong>")).toBe(
      "<strong>用户：</strong><wbr><code>--token</code>、<strong><wbr><code>-n</code></strong>",
    );
  });

  it("gets no break of its own behind an opening bracket, at the start of a paragraph, or before a letter", () => {
    const html = "<p>选项（<code>--token</code>）。</p>\n<p><code>-n</code>を付けます。<code>kubectl</code></p>";
    expect(breakBeforeSigns(html)).toBe(html);
  });

  it("leaves the text of a block as it is to copy", () => {
    const html = '<code><span class="line"><span style="color:red">kubectl</span> get -o wide &#x3C;x></span>\n</code>';
    expect(keepWhole(html).replace(/<[^>]+>/g, "")).toBe(html.replace(/<[^>]+>/g, ""));
  });
});
