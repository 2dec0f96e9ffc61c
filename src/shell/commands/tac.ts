import { decodeUtf8 } from "#sim/bytes.ts";
import { linesOf } from "../toolkit/lines.ts";
import type { CommandDefinition } from "../toolkit/tool.ts";

export const tac: CommandDefinition = {
  name: "tac",
  options: "",
  *run(tool) {
    yield* tool.eachOperand(tool.operands.length === 0 ? ["-"] : tool.operands, function* (path) {
      const lines = linesOf(decodeUtf8(yield* tool.readAll(path)));
      yield* tool.print(
        lines
          .reverse()
          .map((line) => `${line}\n`)
          .join(""),
      );
    });
    return 0;
  },
};
