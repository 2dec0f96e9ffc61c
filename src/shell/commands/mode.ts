// chmod and chown, and the mode language they share with mkdir -m.

import type { SysError } from "#sim/errors.ts";
import type { Sys } from "#sim/program.ts";
import { accountEntry } from "./identity.ts";
import { type CommandDefinition, type Tool, ToolFailure, UsageFailure } from "./tool.ts";

/** Applies `755` or `u+x,go-w` to permission bits. Throws ToolFailure. */
export function applyMode(mode: string, before: number, directory: boolean, mask: number): number {
  if (/^[0-7]{1,4}$/u.test(mode)) return Number.parseInt(mode, 8);
  let bits = before;
  for (const clause of mode.split(",")) {
    const match = /^([ugoa]*)((?:[-+=](?:[rwxXst]*|[ugo]))+)$/u.exec(clause);
    if (match === null) throw new ToolFailure(`invalid mode: '${mode}'`);
    const who = match[1] === "" || match[1]?.includes("a") === true ? "ugo" : (match[1] as string);
    const allowed = match[1] === "" ? ~mask : ~0;
    for (const [, operator, letters] of (match[2] as string).matchAll(/([-+=])([rwxXstugo]*)/gu)) {
      let value = 0;
      for (const letter of letters as string) {
        if ("ugo".includes(letter)) value |= (before >> { u: 6, g: 3, o: 0 }[letter as "u" | "g" | "o"]) & 7;
        else if (letter === "r") value |= 4;
        else if (letter === "w") value |= 2;
        else if (letter === "x" || (letter === "X" && (directory || (before & 0o111) !== 0))) value |= 1;
      }
      let spread = 0;
      let field = 0;
      for (const [letter, shift] of [
        ["u", 6],
        ["g", 3],
        ["o", 0],
      ] as const) {
        if (!who.includes(letter)) continue;
        spread |= value << shift;
        field |= 7 << shift;
      }
      if (letters?.includes("s") === true) spread |= (who.includes("u") ? 0o4000 : 0) | (who.includes("g") ? 0o2000 : 0);
      if (letters?.includes("t") === true) spread |= 0o1000;
      spread &= allowed;
      if (operator === "+") bits |= spread;
      else if (operator === "-") bits &= ~spread;
      else bits = (bits & ~field) | spread;
    }
  }
  return bits & 0o7777;
}

function* walk(tool: Tool, path: string, each: (path: string) => void, depth = 0): Sys<void> {
  each(path);
  if (!tool.has("R") || depth > 64 || tool.self.lstat(path).type !== "directory") return;
  for (const name of tool.self.readdir(path)) yield* walk(tool, `${path}/${name}`, each, depth + 1);
}

function access(tool: Tool, verb: string) {
  return (path: string, error: SysError) =>
    tool.gnu
      ? error.code === "ENOENT"
        ? `cannot access '${path}': ${error.message}`
        : `${verb} '${path}': ${error.message}`
      : `${path}: ${error.message}`;
}

export const chmod: CommandDefinition = {
  name: "chmod",
  options: "R,recursive v,verbose f,silent,quiet c,changes r w x X s t",
  usage: "chmod [-Rcvf] MODE[,MODE]... FILE...",
  *run(tool) {
    const letters = tool.given
      .filter(([name]) => "rwxXst".includes(name))
      .map(([name]) => name)
      .join("");
    const mode = letters === "" ? tool.operands[0] : `-${letters}`;
    const files = letters === "" ? tool.operands.slice(1) : tool.operands;
    if (mode === undefined) throw new UsageFailure(tool.gnu ? "missing operand" : "");
    if (files.length === 0) throw new UsageFailure(tool.gnu ? `missing operand after '${mode}'` : "");
    const mask = tool.self.umask();
    yield* tool.eachOperand(
      files,
      (path) =>
        walk(tool, path, (each) => {
          const stat = tool.self.stat(each);
          tool.self.chmod(each, applyMode(mode, stat.permissions, stat.type === "directory", mask));
        }),
      access(tool, "changing permissions of"),
    );
    return 0;
  },
};

function accountNumber(tool: Tool, file: "passwd" | "group", name: string): number {
  if (/^\d+$/u.test(name)) return Number(name);
  const entry = accountEntry(tool.self, file, name);
  if (entry !== undefined) return Number(entry[2]);
  if (name === "root") return 0;
  const kind = file === "passwd" ? "user" : "group";
  throw new ToolFailure(tool.gnu ? `invalid ${kind}: '${name}'` : `unknown ${kind === "user" ? "user" : "group"} ${name}`);
}

function* changeOwner(tool: Tool, spec: string | undefined, groupOnly: boolean): Sys<number> {
  const files = tool.operands.slice(1);
  if (spec === undefined) throw new UsageFailure(tool.gnu ? "missing operand" : "");
  if (files.length === 0) throw new UsageFailure(tool.gnu ? `missing operand after '${spec}'` : "");
  const [user, group] = groupOnly ? ["", spec] : spec.split(/[:.]/u);
  const uid = user === undefined || user === "" ? undefined : accountNumber(tool, "passwd", user);
  const gid = group === undefined || group === "" ? undefined : accountNumber(tool, "group", group);
  yield* tool.eachOperand(
    files,
    (path) =>
      walk(tool, path, (each) => {
        const stat = tool.self.lstat(each);
        tool.self.chown(each, uid ?? stat.uid, gid ?? stat.gid);
      }),
    access(tool, groupOnly ? "changing group of" : "changing ownership of"),
  );
  return 0;
}

export const chown: CommandDefinition = {
  name: "chown",
  options: "R,recursive v,verbose f,silent,quiet c,changes h,no-dereference",
  usage: "chown [-Rhc]... USER[:[GRP]] FILE...",
  *run(tool) {
    return yield* changeOwner(tool, tool.operands[0], false);
  },
};

export const chgrp: CommandDefinition = {
  name: "chgrp",
  options: "R,recursive v,verbose f,silent,quiet c,changes h,no-dereference",
  usage: "chgrp [-Rhc]... GROUP FILE...",
  *run(tool) {
    return yield* changeOwner(tool, tool.operands[0], true);
  },
};
