// What `stat` tells of an inode.

import type { FileStat } from "../files.ts";
import { overflowId } from "../process/user-namespace.ts";
import { type Caller, DirectoryInode, FileInode, type Inode, ownersFor, SymlinkInode } from "./inode.ts";

export function statOf(inode: Inode, caller: Caller): FileStat {
  let links = inode.links;
  let sizeBytes = 0;
  if (inode instanceof DirectoryInode) {
    links = 2;
    for (const name of inode.names(caller)) if (inode.lookup(name, caller) instanceof DirectoryInode) links += 1;
    sizeBytes = 4096;
  } else if (inode instanceof FileInode) sizeBytes = inode.sizeBytes;
  // Links of /proc, which lead elsewhere for each caller, have none.
  else if (inode.constructor === SymlinkInode) sizeBytes = inode.target.length;
  const { uid = overflowId, gid = overflowId } = ownersFor(inode, caller);
  return {
    type: inode.type,
    inode: inode.id,
    permissions: inode.permissions,
    uid,
    gid,
    links,
    sizeBytes,
    modifiedMs: inode.modifiedMs,
  };
}
