import { encodeUtf8 } from "#sim/bytes.ts";
import type { CommandDefinition } from "../toolkit/tool.ts";

export const yes: CommandDefinition = {
  name: "yes",
  *run(tool) {
    const line = `${tool.operands.length === 0 ? "y" : tool.operands.join(" ")}\n`;
    const block = encodeUtf8(line.repeat(Math.ceil(4096 / line.length)));
    for (;;) yield* tool.self.write(1, block);
  },
};
