// The layout of volumes that change under a running program: a dated directory holds the files, `..data` points to it, and
// the visible names point through `..data`. One rename switches all of them at once.

import { byteLength } from "#sim/bytes.ts";
import { civilDate } from "#sim/calendar.ts";
import { rootCaller } from "#sim/filesystem/file-system.ts";
import { DirectoryInode } from "#sim/filesystem/inode.ts";
import type { Payload } from "./payload.ts";
import type { TreeBuilder } from "./tree.ts";

function pad(value: number, digits = 2): string {
  return String(value).padStart(digits, "0");
}

/** `..2026_01_02_03_04_05.123456789` */
function datedName(nowMs: number, suffix: number): string {
  const { year, month, day, hour, minute, second } = civilDate(nowMs);
  return `..${year}_${pad(month)}_${pad(day)}_${pad(hour)}_${pad(minute)}_${pad(second)}.${pad(suffix, 9)}`;
}

/**
 * Writes a payload into a volume's root, and takes away what is no longer in it. With an fsGroup all files are that group's to
 * read, whatever mode they ask for (SetVolumeOwnership, for volumes that are read-only). `suffix`: of the dated name.
 */
export function writePayload(
  tree: TreeBuilder,
  root: DirectoryInode,
  payload: Payload,
  suffix: number,
  fsGroup: number | undefined,
): void {
  if (root.names(rootCaller).length > 0 || [...payload.keys()].some((path) => path.includes("/"))) {
    write(tree, root, payload, suffix, fsGroup);
    return;
  }
  let bytes = 0;
  for (const { content } of payload.values()) bytes += byteLength(content);
  // The dated directory, its files, `..data` and the visible links.
  tree.fill(root, 2 + 2 * payload.size, bytes, (made) => write(made, root, payload, suffix, fsGroup));
}

function write(tree: TreeBuilder, root: DirectoryInode, payload: Payload, suffix: number, fsGroup: number | undefined): void {
  const gid = fsGroup ?? 0;
  const groupReads = fsGroup === undefined ? 0 : 0o440;
  const directoryMode = fsGroup === undefined ? 0o755 : 0o2755;
  const directory = tree.directory(directoryMode, gid);
  const visible = new Set<string>();
  for (const [path, { content, permissions, uid, finish }] of payload) {
    const parts = path.split("/");
    const name = parts.pop() as string;
    let parent = directory;
    for (const part of parts) parent = tree.childDirectory(parent, part, directoryMode, gid);
    parent.set(name, tree.file(content, permissions | groupReads, gid, uid, finish));
    visible.add(parts[0] ?? name);
  }
  const previous = root.names(rootCaller);
  const dated = datedName(tree.nowMs, suffix);
  root.set(dated, directory);
  root.set("..data", tree.symlink(dated));
  for (const name of visible) if (root.lookup(name, rootCaller) === undefined) root.set(name, tree.symlink(`..data/${name}`));
  for (const name of previous) {
    if (name === "..data" || visible.has(name)) continue;
    const gone = root.lookup(name, rootCaller);
    if (gone instanceof DirectoryInode) tree.release(gone);
    root.remove(name, rootCaller);
  }
}
