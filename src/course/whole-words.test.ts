import { describe, expect, it } from "vitest";
import { wrapBetweenWords } from "./whole-words.ts";

const whole = (word: string): string => `<span class="whole">${word}</span>`;

describe("a command's words", () => {
  it("are held together, however many colours they have", () => {
    const line =
      '<code><span class="line"><span style="a">kubectl</span><span style="b"> get deployment/</span><span style="c">web</span></span></code>';
    expect(wrapBetweenWords(line)).toBe(
      `<code><span class="line">${whole('<span style="a">kubectl</span>')} ${whole('<span style="b">get</span>')} ` +
        `${whole('<span style="b">deployment/</span><span style="c">web</span>')}</span></code>`,
    );
  });

  it("keep every letter and space of the command, for those who copy it", () => {
    const html =
      '<span class="line marked"><span style="a">echo "a  b" &gt; x-y.txt</span></span>\n<span class="line"><span style="a">  ls -l</span></span>';
    const text = (of: string): string => of.replace(/<[^>]+>/g, "");
    expect(text(wrapBetweenWords(html))).toBe(text(html));
  });
});
