// Processes that are meant by a name or an expression.

import type { ProcessInfo } from "#sim/program.ts";
import { BoundedRegExp } from "../text/bounded-regex.ts";
import { shortName } from "./process-columns.ts";
import { type Tool, UsageFailure } from "./tool.ts";

/** As killall and pidof look for a name: the kernel's, or that of the first word of the command line. */
export function isNamed(info: ProcessInfo, name: string): boolean {
  if (info.state === "zombie") return false;
  if (info.name === name.slice(0, 15)) return true;
  const called = info.argv[0] ?? "";
  return called === name || called.slice(called.lastIndexOf("/") + 1) === name;
}

/** As pgrep and pkill look: an expression for the name, or with `-f` for the whole command line. */
export function matchingProcesses(tool: Tool): ProcessInfo[] {
  const pattern = tool.operands[0];
  if (pattern === undefined) throw new UsageFailure("no matching criteria specified", 2);
  const regex = new BoundedRegExp(tool.has("x") ? `^(?:${pattern})$` : pattern, "u");
  const found = tool.self
    .processes()
    .filter(
      (info) =>
        info.pid !== tool.self.pid && info.state !== "zombie" && regex.test(tool.has("f") ? info.argv.join(" ") : shortName(info)),
    );
  if (!tool.has("o") && !tool.has("n")) return found;
  // The oldest or newest one; of those that started at once, by number.
  const byAge = found.toSorted((a, b) => a.startedMs - b.startedMs || a.pid - b.pid);
  return tool.has("o") ? byAge.slice(0, 1) : byAge.slice(-1);
}
