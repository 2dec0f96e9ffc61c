import { SysError } from "#sim/errors.ts";
import type { Process, ProcessInfo } from "#sim/program.ts";
import { signalNumbers } from "#sim/signals.ts";
import { signalByName } from "../interpreter/signals.ts";
import { isNamed } from "../toolkit/process-selection.ts";
import { type CommandDefinition, ToolFailure } from "../toolkit/tool.ts";

const ownNumber = (self: Process) => (info: ProcessInfo) => info.pid !== self.pid;

export const killall: CommandDefinition = {
  name: "killall",
  *run(tool) {
    let signal = "TERM";
    let quiet = false;
    let verbose = false;
    const names: string[] = [];
    const words = [...tool.operands];
    while (words.length > 0) {
      const word = words.shift() as string;
      if (word === "--") names.push(...words.splice(0));
      else if (word === "-l" || word === "--list") {
        yield* tool.print(signalList(tool.gnu));
        return 0;
      } else if (word === "-q" || word === "--quiet") quiet = true;
      else if (tool.gnu && (word === "-v" || word === "--verbose")) verbose = true;
      else if (word === "-s" || word === "--signal") signal = words.shift() ?? "";
      else if (tool.gnu && /^-(?:[eIgiruwynoZ]|-\w.*)$/u.test(word)) throw new ToolFailure(`option ${word} is not supported here`);
      else if (word.startsWith("-")) signal = word.slice(1);
      else names.push(word);
    }
    const sent = signal === "0" ? undefined : signalByName(signal);
    if (sent === undefined && signal !== "0") {
      if (!tool.gnu) throw new ToolFailure(`bad signal name '${signal}'`);
      yield* tool.self.write(2, `${signal}: unknown signal; killall -l lists signals.\n`);
      return 1;
    }
    if (names.length === 0) {
      if (!tool.gnu) throw new ToolFailure("you need to specify whom to kill");
      yield* tool.self.write(2, "Usage: killall [OPTION]... [--] NAME...\n       killall -l, --list\n");
      return 1;
    }
    let status = 0;
    for (const name of names) {
      const found = tool.self
        .processes()
        .filter(ownNumber(tool.self))
        .filter((info) => isNamed(info, name));
      let reached = 0;
      for (const { pid } of found) {
        try {
          if (sent !== undefined) tool.self.kill(pid, sent);
          reached += 1;
          if (verbose)
            yield* tool.self.write(2, `Killed ${name}(${pid}) with signal ${sent === undefined ? 0 : signalNumbers[sent]}\n`);
        } catch (error) {
          if (!(error instanceof SysError)) throw error;
          yield* tool.self.write(
            2,
            tool.gnu ? `${name}(${pid}): ${error.message}\n` : `killall: can't kill pid ${pid}: ${error.message}\n`,
          );
        }
      }
      if (found.length === 0 && !quiet)
        yield* tool.self.write(2, tool.gnu ? `${name}: no process found\n` : `killall: ${name}: no process killed\n`);
      if (reached === 0) status = 1;
    }
    return status;
  },
};

function signalList(gnu: boolean): string {
  const all = Object.entries(signalNumbers);
  if (gnu) return `${all.map(([name]) => name).join(" ")}\n`;
  return all.map(([name, number]) => `${String(number).padStart(2)}) ${name}\n`).join("");
}
