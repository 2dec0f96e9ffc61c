// Users of a machine and the IDs that it keeps for them: useradd, userdel and getsubids (shadow-utils, with what Debian sets in /etc/login.defs).

import { subordinateRanges } from "#cluster/node/user-namespaces/subordinate-ids.ts";
import type { Process, Program, Sys } from "#sim/program.ts";

export interface AccountPrograms {
  readonly getsubids: Program;
  readonly useradd: Program;
  readonly userdel: Program;
}

export const accountPrograms: AccountPrograms = { getsubids, useradd, userdel };

const [firstUser, lastUser, lastSystemUser] = [1000, 60_000, 999];
const [firstSubordinate, subordinateCount] = [100_000, 65_536];

function textOf(self: Process, path: string): string {
  return self.exists(path) ? self.readText(path) : "";
}

function entriesOf(self: Process, path: string): readonly (readonly string[])[] {
  return textOf(self, path)
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => line.split(":"));
}

function append(self: Process, path: string, fields: readonly (string | number)[]): void {
  const before = textOf(self, path);
  self.writeFile(path, `${before}${before === "" || before.endsWith("\n") ? "" : "\n"}${fields.join(":")}\n`);
}

function* getsubids(self: Process): Sys<number> {
  const words = self.argv.slice(1);
  const isGroups = words.length === 2 && words[0] === "-g";
  const owner = words[isGroups ? 1 : 0];
  if (owner === undefined || owner === "-h") {
    yield* self.write(2, "Usage: getsubids [-g] user\n    list subuid ranges for user\n    pass -g to list subgid ranges\n");
    return 1;
  }
  const uid = entriesOf(self, "/etc/passwd").find(([name]) => name === owner)?.[2];
  const ranges = subordinateRanges(textOf(self, isGroups ? "/etc/subgid" : "/etc/subuid"), owner, uid);
  for (const [index, { start, count }] of ranges.entries()) yield* self.write(1, `${index}: ${owner} ${start} ${count}\n`);
  if (ranges.length > 0) return 0;
  yield* self.write(2, "Error fetching ranges\n");
  return 1;
}

const valued: { readonly [flag: string]: string } = {
  c: "comment",
  comment: "comment",
  d: "home",
  "home-dir": "home",
  g: "group",
  gid: "group",
  s: "shell",
  shell: "shell",
  u: "uid",
  uid: "uid",
};
const plain: { readonly [flag: string]: string } = {
  F: "subordinate",
  "add-subids-for-system": "subordinate",
  M: "noHome",
  "no-create-home": "noHome",
  N: "noGroup",
  "no-user-group": "noGroup",
  U: "ownGroup",
  "user-group": "ownGroup",
  m: "makeHome",
  "create-home": "makeHome",
  r: "system",
  system: "system",
};

class Refusal {
  readonly code: number;
  readonly message: string;

  constructor(code: number, message: string) {
    this.code = code;
    this.message = message;
  }
}

/** Options by what they say, and the names. */
function read(
  words: readonly string[],
): { readonly options: ReadonlyMap<string, string>; readonly names: readonly string[] } | Refusal {
  const options = new Map<string, string>();
  const names: string[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] as string;
    const [, long, longValue] = /^--([^=]+)(?:=(.*))?$/u.exec(word) ?? [];
    const flags = long === undefined ? (/^-(.+)$/u.exec(word)?.[1] ?? "") : "";
    if (long === undefined && flags === "") names.push(word);
    for (const [at, flag] of (long === undefined ? [...flags] : [long]).entries()) {
      if (plain[flag] !== undefined) options.set(plain[flag], "");
      else if (valued[flag] === undefined) return new Refusal(2, `${long === undefined ? "-" : "--"}${flag}: not simulated`);
      else {
        const rest = long === undefined ? flags.slice(at + 1) : longValue;
        if (rest === undefined || rest === "") index += 1;
        options.set(valued[flag], rest || (words[index] ?? ""));
        break;
      }
    }
  }
  return { options, names };
}

function* useradd(self: Process): Sys<number> {
  return yield* say(self, "useradd", add(self));
}

function* userdel(self: Process): Sys<number> {
  return yield* say(self, "userdel", remove(self));
}

function* say(self: Process, name: string, refusal: Refusal | undefined): Sys<number> {
  if (refusal === undefined) return 0;
  yield* self.write(2, refusal.message.replace(/^/gmu, `${name}: `).concat("\n"));
  return refusal.code;
}

function add(self: Process): Refusal | undefined {
  const line = read(self.argv.slice(1));
  if (line instanceof Refusal) return line;
  const { options, names } = line;
  const [name = ""] = names;
  if (names.length !== 1) return new Refusal(2, "give the options, then one LOGIN");
  if (!/^[a-z_][a-z0-9_-]*\$?$/u.test(name)) return new Refusal(3, `invalid user name '${name}': use --badname to ignore`);
  if (self.uid !== 0) return new Refusal(1, "Permission denied.\ncannot lock /etc/passwd; try again later.");
  const [users, groups] = [entriesOf(self, "/etc/passwd"), entriesOf(self, "/etc/group")];
  if (users.some(([known]) => known === name)) return new Refusal(9, `user '${name}' already exists`);
  const wantedGroup = options.get("group");
  if (wantedGroup === undefined && groups.some(([known]) => known === name))
    return new Refusal(9, `group ${name} exists - if you want to add this user to that group, use -g.`);
  const isSystem = options.has("system");
  const uid = options.has("uid") ? Number(options.get("uid")) : freeId(users, isSystem);
  if (!Number.isInteger(uid) || uid < 0) return new Refusal(3, `invalid user ID '${options.get("uid")}'`);
  if (users.some(([, , known]) => known === String(uid))) return new Refusal(4, `UID ${uid} is not unique`);
  const group = groups.find(([known, , id]) => known === wantedGroup || id === wantedGroup);
  if (wantedGroup !== undefined && group === undefined) return new Refusal(6, `group '${wantedGroup}' does not exist`);
  const isTaken = groups.some(([, , known]) => known === String(uid));
  let ownGid = isTaken ? freeId(groups, isSystem) : uid;
  if (options.has("noGroup")) ownGid = 100;
  const gid = group?.[2] ?? ownGid;
  const home = options.get("home") ?? `/home/${name}`;
  append(self, "/etc/passwd", [name, "x", uid, gid, options.get("comment") ?? "", home, options.get("shell") ?? "/bin/sh"]);
  if (group === undefined && !options.has("noGroup")) append(self, "/etc/group", [name, "x", gid, ""]);
  if (options.has("makeHome")) {
    self.mkdir(home, 0o700);
    self.chown(home, uid, Number(gid));
  }
  if (!isSystem || options.has("subordinate"))
    for (const path of ["/etc/subuid", "/etc/subgid"])
      if (self.exists(path)) append(self, path, [name, freeSubordinates(entriesOf(self, path)), subordinateCount]);
  return undefined;
}

/** Also the group of the same name, unless it has members, and the IDs that are kept for the user. The home directory stays. */
function remove(self: Process): Refusal | undefined {
  const words = self.argv.slice(1);
  const unknown = words.find((word) => word.startsWith("-") && !/^-f$|^--force$/u.test(word));
  if (unknown !== undefined) return new Refusal(2, `${unknown}: not simulated`);
  const names = words.filter((word) => !word.startsWith("-"));
  const [name = ""] = names;
  if (names.length !== 1) return new Refusal(2, "give the options, then one LOGIN");
  if (!entriesOf(self, "/etc/passwd").some(([known]) => known === name)) return new Refusal(6, `user '${name}' does not exist`);
  if (self.uid !== 0) return new Refusal(1, "Permission denied.\ncannot lock /etc/passwd; try again later.");
  const leave = (path: string, goes: (fields: readonly string[]) => boolean): void => {
    if (!self.exists(path)) return;
    const lines = textOf(self, path).split(/(?<=\n)/u);
    self.writeFile(path, lines.filter((line) => !goes(line.trimEnd().split(":"))).join(""));
  };
  const isUsers = ([known]: readonly string[]): boolean => known === name;
  for (const path of ["/etc/passwd", "/etc/subuid", "/etc/subgid"]) leave(path, isUsers);
  leave("/etc/group", (fields) => isUsers(fields) && (fields[3] ?? "") === "");
  return undefined;
}

/** Of system users the highest, of others the lowest that is free above all others. */
function freeId(entries: readonly (readonly string[])[], isSystem: boolean): number {
  const used = new Set(entries.map(([, , id]) => Number(id)));
  if (isSystem) {
    let id = lastSystemUser;
    while (used.has(id)) id -= 1;
    return id;
  }
  return Math.max(firstUser, ...[...used].filter((id) => id >= firstUser && id < lastUser).map((id) => id + 1));
}

function freeSubordinates(entries: readonly (readonly string[])[]): number {
  const taken = entries.map(([, start, count]) => [Number(start), Number(count)] as const).sort(([a], [b]) => a - b);
  let first = firstSubordinate;
  for (const [start, count] of taken) {
    if (start >= first + subordinateCount) break;
    first = Math.max(first, start + count);
  }
  return first;
}
