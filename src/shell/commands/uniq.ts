import { asciiLowerCase } from "#sim/ascii.ts";
import { eachLine } from "../toolkit/lines.ts";
import type { CommandDefinition } from "../toolkit/tool.ts";

export const uniq: CommandDefinition = {
  name: "uniq",
  options: "c,count d,repeated u,unique i,ignore-case f,skip-fields= s,skip-chars= w,check-chars=",
  usage: "uniq [-cdui] [-f,s,w N] [FILE [OUTFILE]]\n\nDiscard duplicate lines",
  *run(tool) {
    const key = (line: string) => {
      let text = line;
      for (let i = 0; i < Number(tool.value("f") ?? 0); i += 1) text = text.replace(/^\s*\S+/u, "");
      text = text.slice(Number(tool.value("s") ?? 0));
      if (tool.has("w")) text = text.slice(0, Number(tool.value("w")));
      return tool.has("i") ? asciiLowerCase(text) : text;
    };
    let held: string | undefined;
    let count = 0;
    const emit = function* () {
      if (held === undefined || (tool.has("d") && count < 2) || (tool.has("u") && count > 1)) return;
      yield* tool.print(`${tool.has("c") ? `${String(count).padStart(7)} ` : ""}${held}\n`);
    };
    yield* tool.eachInput(tool.operands.slice(0, 1), function* (_path, fd) {
      yield* eachLine(tool, fd, function* (line) {
        if (held !== undefined && key(held) === key(line)) count += 1;
        else {
          yield* emit();
          held = line;
          count = 1;
        }
        return undefined;
      });
    });
    yield* emit();
    return 0;
  },
};
