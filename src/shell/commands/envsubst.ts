// envsubst of GNU gettext: standard input with $NAME and ${NAME} filled in. No other form of the shell's expansions is one.

import { decodeUtf8 } from "#sim/bytes.ts";
import { type CommandDefinition, ToolFailure } from "../toolkit/tool.ts";

const references = /\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))/gu;

export const envsubst: CommandDefinition = {
  name: "envsubst",
  options: "v,variables",
  usage: "envsubst [OPTION] [SHELL-FORMAT]\n\nSubstitutes the values of environment variables.",
  *run(tool) {
    const [format, more] = tool.operands;
    if (more !== undefined) throw new ToolFailure("too many arguments");
    const named = format === undefined ? undefined : namesIn(format);
    if (tool.has("v")) {
      if (named === undefined) throw new ToolFailure("missing arguments");
      for (const name of named) yield* tool.print(`${name}\n`);
      return 0;
    }
    const text = decodeUtf8(yield* tool.readAll("-"));
    const filled = text.replace(references, (reference, braced?: string, plain?: string) => {
      const name = braced ?? plain ?? "";
      return named === undefined || named.includes(name) ? (tool.self.env.get(name) ?? "") : reference;
    });
    yield* tool.print(filled);
    return 0;
  },
};

function namesIn(format: string): readonly string[] {
  return [...format.matchAll(references)].map(([, braced, plain]) => braced ?? plain ?? "");
}
