import { runCommandLine } from "../toolkit/other-programs.ts";
import type { CommandDefinition } from "../toolkit/tool.ts";

export const env: CommandDefinition = {
  name: "env",
  options: "i,ignore-environment u,unset= 0,null C,chdir= S=",
  usage: "env [-i0] [-u NAME]... [-] [NAME=VALUE]... [PROG ARGS]",
  inOrder: true,
  usageStatus: 125,
  *run(tool) {
    const variables = new Map(tool.has("i") ? [] : tool.self.env);
    for (const name of tool.values("u")) variables.delete(name);
    let words = [...tool.operands];
    if (words[0] === "-") {
      variables.clear();
      words = words.slice(1);
    }
    while (words[0]?.includes("=") === true) {
      const at = words[0].indexOf("=");
      variables.set(words[0].slice(0, at), words[0].slice(at + 1));
      words = words.slice(1);
    }
    if (words.length > 0) return yield* runCommandLine(tool, words, variables);
    for (const [name, value] of variables) yield* tool.print(`${name}=${value}${tool.has("0") ? "\0" : "\n"}`);
    return 0;
  },
};
