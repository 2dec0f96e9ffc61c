// What a directory with all below it takes of its file system: counted where things change, so that nobody has to walk the
// tree (project quotas of ext4 and XFS; numbers are those of `du`: whole blocks, each inode once).

import type { DirectoryInode, Inode } from "./inode.ts";

/** Of a directory, whatever is in it. */
export const blockBytes = 4096;

/** What a file of this size takes on the disk. */
export function allocatedBytes(sizeBytes: number): number {
  return Math.ceil(sizeBytes / blockBytes) * blockBytes;
}

export class StorageAccount {
  usedBytes = 0;
  inodes = 0;
}

/** From now on the directory and what will be in it are counted; it must be empty. */
export function openAccount(directory: DirectoryInode): StorageAccount {
  const account = new StorageAccount();
  count(directory, account);
  return account;
}

/** An entry comes into a directory: new, or with all that is below it from elsewhere. */
export function enterAccount(inode: Inode, parent: DirectoryInode): void {
  if (inode.account === parent.account) return;
  leaveAccount(inode);
  if (parent.account !== undefined) count(inode, parent.account);
  if (!("ownChildren" in inode) || inode.shared) return;
  for (const child of inode.ownChildren()) enterAccount(child, inode);
}

/** It is in no directory any more, though a process may still have it open. */
export function leaveAccount(inode: Inode): void {
  const { account } = inode;
  if (account === undefined) return;
  account.usedBytes -= inode.allocatedBytes;
  account.inodes -= 1;
  inode.account = undefined;
}

function count(inode: Inode, account: StorageAccount): void {
  account.usedBytes += inode.allocatedBytes;
  account.inodes += 1;
  inode.account = account;
}
