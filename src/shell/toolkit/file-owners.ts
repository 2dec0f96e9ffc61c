// What chmod, chown and chgrp share.

import type { SysError } from "#sim/errors.ts";
import type { Sys } from "#sim/program.ts";
import { accountEntry } from "./accounts.ts";
import { type Tool, ToolFailure, UsageFailure } from "./tool.ts";

/** Calls `each` for a path and, with `-R`, for all below it. */
export function* walkTree(tool: Tool, path: string, each: (path: string) => void, depth = 0): Sys<void> {
  each(path);
  if (!tool.has("R") || depth > 64 || tool.self.lstat(path).type !== "directory") return;
  for (const name of tool.self.readdir(path)) yield* walkTree(tool, `${path}/${name}`, each, depth + 1);
}

export function explainRefusal(tool: Tool, verb: string) {
  return (path: string, error: SysError) => {
    if (!tool.gnu) return `${path}: ${error.message}`;
    return error.code === "ENOENT" ? `cannot access '${path}': ${error.message}` : `${verb} '${path}': ${error.message}`;
  };
}

function accountNumber(tool: Tool, file: "passwd" | "group", name: string): number {
  if (/^\d+$/u.test(name)) return Number(name);
  const entry = accountEntry(tool.self, file, name);
  if (entry !== undefined) return Number(entry[2]);
  if (name === "root") return 0;
  const kind = file === "passwd" ? "user" : "group";
  throw new ToolFailure(tool.gnu ? `invalid ${kind}: '${name}'` : `unknown ${kind === "user" ? "user" : "group"} ${name}`);
}

/** chown, or chgrp with `groupOnly`: gives the operands behind the first to `USER[:GROUP]` or to `GROUP`. */
export function* changeOwner(tool: Tool, spec: string | undefined, groupOnly: boolean): Sys<number> {
  const files = tool.operands.slice(1);
  if (spec === undefined) throw new UsageFailure(tool.gnu ? "missing operand" : "");
  if (files.length === 0) throw new UsageFailure(tool.gnu ? `missing operand after '${spec}'` : "");
  const [user, group] = groupOnly ? ["", spec] : spec.split(/[:.]/u);
  const uid = user === undefined || user === "" ? undefined : accountNumber(tool, "passwd", user);
  const gid = group === undefined || group === "" ? undefined : accountNumber(tool, "group", group);
  yield* tool.eachOperand(
    files,
    (path) =>
      walkTree(tool, path, (each) => {
        const stat = tool.self.lstat(each);
        tool.self.chown(each, uid ?? stat.uid, gid ?? stat.gid);
      }),
    explainRefusal(tool, groupOnly ? "changing group of" : "changing ownership of"),
  );
  return 0;
}
