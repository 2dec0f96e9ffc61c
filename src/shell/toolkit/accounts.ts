// /etc/passwd and /etc/group.

import { SysError } from "#sim/errors.ts";
import type { Process } from "#sim/program.ts";

/** Name ↔ number by /etc/passwd or /etc/group; undefined when it is not listed. */
export function accountEntry(self: Process, file: "passwd" | "group", key: string): readonly string[] | undefined {
  return entriesOf(self, file).find((fields) => fields[0] === key || (fields[2] === key && /^\d+$/u.test(key)));
}

export function entriesOf(self: Process, file: "passwd" | "group"): readonly (readonly string[])[] {
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

export function entryName(self: Process, file: "passwd" | "group", id: number): string | undefined {
  return accountEntry(self, file, String(id))?.[0] ?? (id === 0 ? "root" : undefined);
}

export function userName(self: Process, uid: number): string {
  return accountEntry(self, "passwd", String(uid))?.[0] ?? (uid === 0 ? "root" : String(uid));
}

export function groupName(self: Process, gid: number): string {
  return accountEntry(self, "group", String(gid))?.[0] ?? (gid === 0 ? "root" : String(gid));
}
