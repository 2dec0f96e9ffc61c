import { SysError } from "#sim/errors.ts";
import { signalNumbers } from "#sim/signals.ts";
import { signalByName } from "../interpreter/signals.ts";
import { type CommandDefinition, ToolFailure, UsageFailure } from "../toolkit/tool.ts";

export const kill: CommandDefinition = {
  name: "kill",
  *run(tool) {
    let words = [...tool.operands];
    let name = "TERM";
    if (words[0] === "-l") {
      yield* tool.print(`${Object.keys(signalNumbers).join(" ")}\n`);
      return 0;
    }
    if (words[0] === "-s") {
      name = words[1] ?? "";
      words = words.slice(2);
    } else if (words[0] !== undefined && /^-[A-Za-z0-9]+$/u.test(words[0]) && words.length > 1) {
      name = words[0].slice(1);
      words = words.slice(1);
    }
    const signal = name === "0" ? undefined : signalByName(name);
    if (signal === undefined && name !== "0")
      throw new ToolFailure(tool.gnu ? `unknown signal ${name}` : `bad signal name '${name}'`);
    if (words.length === 0) throw new UsageFailure(tool.gnu ? "not enough arguments" : "you need to specify whom to kill");
    for (const word of words) {
      if (!/^-?\d+$/u.test(word)) {
        yield* tool.warn(tool.gnu ? `failed to parse argument: '${word}'` : `invalid number '${word}'`);
        continue;
      }
      try {
        if (signal !== undefined) tool.self.kill(Number(word), signal);
        else if (!tool.self.processes().some((info) => info.pid === Number(word))) throw new SysError("ESRCH");
      } catch (error) {
        if (!(error instanceof SysError)) throw error;
        yield* tool.warn(
          tool.gnu ? `sending signal to ${word} failed: ${error.message}` : `can't kill pid ${word}: ${error.message}`,
        );
      }
    }
    return 0;
  },
};
