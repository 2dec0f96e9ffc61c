import { decodeUtf8 } from "#sim/bytes.ts";
import { linesOf } from "../toolkit/lines.ts";
import { runCommandLine } from "../toolkit/other-programs.ts";
import { type CommandDefinition, type Tool, ToolFailure } from "../toolkit/tool.ts";

function splitWords(tool: Tool, text: string): string[] {
  const words: string[] = [];
  let current: string | undefined;
  for (let i = 0; i < text.length; i += 1) {
    const char = text[i] as string;
    if (/\s/u.test(char)) {
      if (current !== undefined) words.push(current);
      current = undefined;
    } else if (char === "'" || char === '"') {
      const end = text.indexOf(char, i + 1);
      if (end < 0)
        throw new ToolFailure(
          `unmatched ${char === "'" ? "single" : "double"} quote; by default quotes are special to xargs unless you use the -0 option`,
        );
      current = (current ?? "") + text.slice(i + 1, end);
      i = end;
    } else if (char === "\\") current = (current ?? "") + (text[++i] ?? "");
    else current = (current ?? "") + char;
  }
  if (current !== undefined) words.push(current);
  if (words.length > 100_000) throw new ToolFailure(`argument list too long for ${tool.name}`);
  return words;
}

/** The arguments in the input: by NUL, by `-d`, by lines for `-I` and `-L`, otherwise by words. */
function itemsOf(tool: Tool, text: string): string[] {
  const delimiter = tool.value("d");
  if (tool.has("0")) return text.split("\0").filter((item, index, all) => index < all.length - 1 || item !== "");
  if (delimiter !== undefined) return text.replace(/\n$/u, "").split(delimiter.replace(/\\n/gu, "\n").replace(/\\t/gu, "\t"));
  if (!tool.has("I") && !tool.has("L")) return splitWords(tool, text);
  return linesOf(text)
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

export const xargs: CommandDefinition = {
  name: "xargs",
  options: "n,max-args= I,replace= i L,max-lines= 0,null r,no-run-if-empty t,verbose d,delimiter= P,max-procs= p s= x a=",
  usage: "xargs [OPTIONS] [PROG ARGS]",
  inOrder: true,
  *run(tool) {
    const text = decodeUtf8(yield* tool.readAll(tool.value("a") ?? "-"));
    const replace = tool.value("I");
    const items = itemsOf(tool, text);
    const command = tool.operands.length === 0 ? ["echo"] : tool.operands;
    let size = 5000;
    if (tool.has("n")) size = Number(tool.value("n"));
    else if (tool.has("L")) size = Number(tool.value("L"));
    const lines: (readonly string[])[] = [];
    if (replace !== undefined) for (const item of items) lines.push(command.map((word) => word.replaceAll(replace, item)));
    else {
      for (let i = 0; i < items.length; i += size) {
        const part = items.slice(i, i + size);
        lines.push([...command, ...(tool.has("L") ? part.flatMap((line) => splitWords(tool, line)) : part)]);
      }
      if (items.length === 0 && !tool.has("r") && tool.gnu) lines.push(command);
    }
    let status = 0;
    for (const words of lines) {
      if (tool.has("t")) yield* tool.self.write(2, `${words.join(" ")}\n`);
      const code = yield* runCommandLine(tool, words);
      if (code === 255) {
        yield* tool.warn(`${words[0]}: exited with status 255; aborting`);
        return 124;
      }
      if (code === 127 || code === 126) return code;
      if (code !== 0) status = 123;
    }
    return status;
  },
};
