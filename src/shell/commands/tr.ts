import { expandEscapes } from "../text/escapes.ts";
import { type CommandDefinition, type Tool, ToolFailure, UsageFailure } from "../toolkit/tool.ts";

const trClasses: { readonly [name: string]: string } = {
  alpha: "A-Za-z",
  digit: "0-9",
  alnum: "0-9A-Za-z",
  upper: "A-Z",
  lower: "a-z",
  space: "\t\n\v\f\r ",
  blank: "\t ",
  punct: "!-/:-@[-`{-~",
  xdigit: "0-9A-Fa-f",
  print: " -~",
  graph: "!-~",
  cntrl: "\x01-\x1f\x7f",
};

function expandSet(tool: Tool, spec: string): string[] {
  const text = expandEscapes(spec, false).text.replace(/\[:(\w+):\]/gu, (all, name: string) => {
    const found = trClasses[name];
    if (found === undefined) throw new ToolFailure(tool.gnu ? `invalid character class '${name}'` : all);
    return found;
  });
  const chars = [...text];
  const result: string[] = [];
  for (let i = 0; i < chars.length; i += 1) {
    const end = chars[i + 2];
    if (chars[i + 1] === "-" && end !== undefined) {
      const [from, to] = [(chars[i] as string).codePointAt(0) as number, end.codePointAt(0) as number];
      if (from > to) throw new ToolFailure(`range-endpoints of '${chars[i]}-${end}' are in reverse collating sequence order`);
      for (let code = from; code <= to; code += 1) result.push(String.fromCodePoint(code));
      i += 2;
    } else result.push(chars[i] as string);
  }
  return result;
}

export const tr: CommandDefinition = {
  name: "tr",
  options: "c,C,complement d,delete s,squeeze-repeats t,truncate-set1",
  usage: "tr [-cds] STRING1 [STRING2]",
  inOrder: true,
  *run(tool) {
    const [first, second] = tool.operands;
    if (first === undefined) throw new UsageFailure(tool.gnu ? "missing operand" : "");
    const deleting = tool.has("d");
    const squeezing = tool.has("s");
    if (second === undefined && !deleting && !squeezing)
      throw new UsageFailure(tool.gnu ? `missing operand after ‘${first}’\nTwo strings must be given when translating.` : "");
    const from = expandSet(tool, first);
    const to = second === undefined ? [] : expandSet(tool, second);
    const inFirst = new Set(from);
    const member = (char: string) => inFirst.has(char) !== tool.has("c");
    const map = new Map(
      from.map((char, index) => [char, to[Math.min(index, to.length - 1)] ?? char]).reverse() as [string, string][],
    );
    const squeezed = new Set(second === undefined ? [] : to);
    const isSqueezed = (char: string) => (second === undefined ? member(char) : squeezed.has(char));
    const decoder = new TextDecoder();
    let last = "";
    for (;;) {
      const bytes = yield* tool.self.read(0);
      let result = "";
      tool.self.spend(bytes.length >> 4);
      for (const char of decoder.decode(bytes, { stream: bytes.length > 0 })) {
        if (deleting && member(char)) continue;
        let mapped = char;
        if (!deleting && to.length > 0 && member(char)) mapped = tool.has("c") ? (to.at(-1) as string) : (map.get(char) ?? char);
        if (squeezing && mapped === last && isSqueezed(mapped)) continue;
        last = mapped;
        result += mapped;
      }
      yield* tool.print(result);
      yield* tool.flush();
      if (bytes.length === 0) return 0;
    }
  },
};
