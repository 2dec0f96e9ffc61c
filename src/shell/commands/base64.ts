import { decodeBase64, encodeBase64 } from "#sim/base64.ts";
import { decodeUtf8 } from "#sim/bytes.ts";
import { type CommandDefinition, ToolFailure } from "../toolkit/tool.ts";

export const base64: CommandDefinition = {
  name: "base64",
  options: "d,D,decode w,wrap= i,ignore-garbage",
  usage: "base64 [-d] [-w COL] [FILE]",
  *run(tool) {
    const wrap = tool.value("w");
    if (wrap !== undefined && !/^\d+$/u.test(wrap)) throw new ToolFailure(`invalid wrap size: '${wrap}'`);
    const path = tool.operands[0] ?? "-";
    yield* tool.eachOperand([path], function* () {
      const bytes = yield* tool.readAll(path);
      if (tool.has("d")) {
        const text = decodeUtf8(bytes).replace(/\n/gu, "");
        const { bytes: decoded, valid } = decodeBase64(tool.has("i") ? text.replace(/[^\w+/=]/gu, "") : text);
        yield* tool.print(decoded);
        if (!valid) throw new ToolFailure(tool.gnu ? "invalid input" : "truncated input");
        return;
      }
      const text = encodeBase64(bytes);
      const width = Number(wrap ?? 76);
      if (width === 0) yield* tool.print(text);
      else for (let i = 0; i < text.length; i += width) yield* tool.print(`${text.slice(i, i + width)}\n`);
    });
    return 0;
  },
};
