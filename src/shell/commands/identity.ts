// who and where one is: id, whoami, groups, hostname, uname, tty, nproc, arch.

import { SysError } from "#sim/errors.ts";
import { type MachineArchitecture, machineNames } from "#sim/kernel-release.ts";
import type { Process, Sys } from "#sim/program.ts";
import { type CommandDefinition, type Tool, ToolFailure, UsageFailure } from "./tool.ts";

/** Name ↔ number by /etc/passwd or /etc/group; undefined when it is not listed. */
export function accountEntry(self: Process, file: "passwd" | "group", key: string): readonly string[] | undefined {
  return entriesOf(self, file).find((fields) => fields[0] === key || (fields[2] === key && /^\d+$/u.test(key)));
}

function entriesOf(self: Process, file: "passwd" | "group"): readonly (readonly string[])[] {
  try {
    return self
      .readText(`/etc/${file}`)
      .split("\n")
      .map((line) => line.split(":"));
  } catch (error) {
    if (error instanceof SysError) return [];
    throw error;
  }
}

function entryName(self: Process, file: "passwd" | "group", id: number): string | undefined {
  return accountEntry(self, file, String(id))?.[0] ?? (id === 0 ? "root" : undefined);
}

export function userName(self: Process, uid: number): string {
  return accountEntry(self, "passwd", String(uid))?.[0] ?? (uid === 0 ? "root" : String(uid));
}

export function groupName(self: Process, gid: number): string {
  return accountEntry(self, "group", String(gid))?.[0] ?? (gid === 0 ? "root" : String(gid));
}

export const id: CommandDefinition = {
  name: "id",
  options: "u,user g,group G,groups n,name r,real",
  usage: "id [-ugGnr] [USER]",
  *run(tool) {
    const { self } = tool;
    const who = identityOf(tool);
    const { uid, gid } = who;
    const named = (number: number, name: string | undefined) => (name === undefined ? String(number) : `${number}(${name})`);
    const user = entryName(self, "passwd", uid);
    const groupText = (number: number) => named(number, entryName(self, "group", number));
    if (tool.gnu && (tool.has("n") || tool.has("r")) && !["u", "g", "G"].some((option) => tool.has(option)))
      throw new ToolFailure("printing only names or real IDs requires -u, -g, or -G");
    if (tool.has("u") && tool.has("n") && user === undefined)
      yield* tool.warn(tool.gnu ? `cannot find name for user ID ${uid}` : `unknown ID ${uid}`);
    if (tool.has("u")) yield* tool.print(`${tool.has("n") ? (user ?? uid) : uid}\n`);
    else if (tool.has("g") || tool.has("G")) yield* printGroups(tool, tool.has("G") ? who.groups : [gid], tool.has("n"));
    else yield* tool.print(`uid=${named(uid, user)} gid=${groupText(gid)} groups=${who.groups.map(groupText).join()}\n`);
    return tool.status;
  },
};

interface Identity {
  readonly uid: number;
  readonly gid: number;
  readonly groups: readonly number[];
}

/** Of the process, or of the user that is named. */
function identityOf({ self, operands, gnu }: Tool): Identity {
  const [wanted] = operands;
  if (wanted !== undefined) {
    const entry = accountEntry(self, "passwd", wanted);
    if (entry === undefined) throw new ToolFailure(gnu ? `'${wanted}': no such user` : `unknown user ${wanted}`);
    const gid = Number(entry[3]);
    const member = entriesOf(self, "group").filter((group) => group[3]?.split(",").includes(entry[0] ?? ""));
    return { uid: Number(entry[2]), gid, groups: [...new Set([gid, ...member.map((group) => Number(group[2]))])] };
  }
  const { uid, gid } = self;
  // busybox lists what the kernel has, by number; GNU the effective group before the others.
  const groups = self.groups.length === 0 ? [gid] : self.groups;
  return { uid, gid, groups: gnu ? [...new Set([gid, ...groups])] : groups };
}

function* printGroups(tool: Tool, groups: readonly number[], byName: boolean): Sys<void> {
  const words: string[] = [];
  for (const number of groups) {
    const name = byName ? entryName(tool.self, "group", number) : undefined;
    if (byName && name === undefined)
      yield* tool.warn(tool.gnu ? `cannot find name for group ID ${number}` : `unknown ID ${number}`);
    words.push(name ?? String(number));
  }
  yield* tool.print(`${words.join(" ")}\n`);
}

export const whoami: CommandDefinition = {
  name: "whoami",
  options: "",
  *run(tool) {
    const name = accountEntry(tool.self, "passwd", String(tool.self.uid))?.[0] ?? (tool.self.uid === 0 ? "root" : undefined);
    if (name === undefined)
      throw new ToolFailure(tool.gnu ? `cannot find name for user ID ${tool.self.uid}` : `unknown uid ${tool.self.uid}`);
    yield* tool.print(`${name}\n`);
    return 0;
  },
};

export const groups: CommandDefinition = {
  name: "groups",
  options: "",
  *run(tool) {
    yield* printGroups(tool, identityOf(tool).groups, true);
    return tool.status;
  },
};

export const hostname: CommandDefinition = {
  name: "hostname",
  options: "s,short f,fqdn i,ip-address I,all-ip-addresses d,domain",
  usage: "hostname [-sifd] [HOSTNAME | -F FILE]",
  *run(tool) {
    const { self } = tool;
    if (tool.operands.length > 0)
      throw new ToolFailure(tool.gnu ? "you must be root to change the host name" : "sethostname: Operation not permitted");
    const own = self.addresses().filter((address) => !address.startsWith("127.") && address !== "::1");
    if (tool.has("I") && !tool.gnu) throw new UsageFailure("invalid option -- 'I'");
    if (tool.has("I")) yield* tool.print(`${own.join(" ")} \n`);
    else if (tool.has("i")) {
      const found = yield* self.resolve(self.hostname);
      if (found.length === 0) throw new ToolFailure(tool.gnu ? "Name or service not known" : `${self.hostname}: Unknown host`);
      yield* tool.print(`${found.join(" ")}\n`);
    } else if (tool.has("f") || tool.has("d")) {
      const full = qualifiedName(self);
      yield* tool.print(`${tool.has("d") ? full.split(".").slice(1).join(".") : full}\n`);
    } else yield* tool.print(`${tool.has("s") ? (self.hostname.split(".")[0] as string) : self.hostname}\n`);
    return 0;
  },
};

/** The canonical name that /etc/hosts gives for the host name. */
function qualifiedName(self: Process): string {
  try {
    for (const line of self.readText("/etc/hosts").split("\n")) {
      const names = (line.split("#")[0] as string).trim().split(/\s+/u).slice(1);
      if (names.includes(self.hostname)) return names[0] as string;
    }
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
  }
  return self.hostname;
}

/** Of the machine, as its kernel says it. */
function architectureOf(self: Process): MachineArchitecture {
  return self.exists("/proc/version") && self.readText("/proc/version").includes("-arm64 ") ? "arm64" : "amd64";
}

export const uname: CommandDefinition = {
  name: "uname",
  options:
    "a,all s,kernel-name n,nodename r,kernel-release v,kernel-version m,machine p,processor i,hardware-platform o,operating-system",
  usage: "uname [-amnrspvio]",
  *run(tool) {
    const architecture = architectureOf(tool.self);
    const fields: readonly (readonly [string, string])[] = [
      ["s", "Linux"],
      ["n", tool.self.hostname],
      ["r", tool.self.kernelRelease.release],
      ["v", tool.self.kernelRelease.build],
      ["m", machineNames[architecture]],
      ["o", "GNU/Linux"],
    ];
    const all = tool.has("a");
    const shown = fields.filter(([letter]) => all || tool.has(letter) || (tool.given.length === 0 && letter === "s"));
    yield* tool.print(`${shown.map(([, value]) => value).join(" ")}\n`);
    return 0;
  },
};

export const tty: CommandDefinition = {
  name: "tty",
  options: "s,silent,quiet",
  *run(tool) {
    if (!tool.self.isTty(0)) {
      if (!tool.has("s")) yield* tool.print("not a tty\n");
      return 1;
    }
    const { name } = tool.self.terminal(0);
    if (!tool.has("s")) yield* tool.print(`${name.startsWith("/") ? name : `/dev/${name}`}\n`);
    return 0;
  },
};

export const arch: CommandDefinition = {
  name: "arch",
  options: "",
  *run(tool) {
    yield* tool.print(`${machineNames[architectureOf(tool.self)]}\n`);
    return 0;
  },
};
