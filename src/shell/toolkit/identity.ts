// Who a process, or an account, is.

import type { Sys } from "#sim/program.ts";
import { accountEntry, entriesOf, entryName } from "./accounts.ts";
import { type Tool, ToolFailure } from "./tool.ts";

export interface Identity {
  readonly uid: number;
  readonly gid: number;
  readonly groups: readonly number[];
}

/** Of the process, or of the user that is named. */
export function identityOf({ self, operands, gnu }: Tool): Identity {
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

export function* printGroups(tool: Tool, groups: readonly number[], byName: boolean): Sys<void> {
  const words: string[] = [];
  for (const number of groups) {
    const name = byName ? entryName(tool.self, "group", number) : undefined;
    if (byName && name === undefined)
      yield* tool.warn(tool.gnu ? `cannot find name for group ID ${number}` : `unknown ID ${number}`);
    words.push(name ?? String(number));
  }
  yield* tool.print(`${words.join(" ")}\n`);
}
