// Copies all that is in a file system, as a snapshot of its device has it. What is not content is left out: sockets, pipes, devices.

import { type FileSystem, rootCaller } from "#sim/filesystem/file-system.ts";
import { DirectoryInode, FileInode, type Inode, SymlinkInode } from "#sim/filesystem/inode.ts";

const chunkBytes = 1_048_576;

/** Into one that is empty. Throws SysError where there is no room. */
export function copyFiles(from: FileSystem, to: FileSystem): void {
  const { root } = to;
  ownAs(root, from.root);
  copyEntries(from.root, root, to, new Map());
}

/** `known`: copies of files that have several names. */
function copyEntries(from: DirectoryInode, to: DirectoryInode, fileSystem: FileSystem, known: Map<Inode, Inode>): void {
  for (const name of from.names(rootCaller)) {
    const inode = from.lookup(name, rootCaller);
    if (inode === undefined) continue;
    const again = known.get(inode);
    if (again !== undefined) again.links += 1;
    const copy = again ?? copyOf(inode, fileSystem);
    if (copy === undefined) continue;
    known.set(inode, copy);
    to.set(name, copy);
    if (inode instanceof DirectoryInode && copy instanceof DirectoryInode) copyEntries(inode, copy, fileSystem, known);
  }
}

function copyOf(inode: Inode, fileSystem: FileSystem): Inode | undefined {
  const { uid, gid, permissions, modifiedMs } = inode;
  const attributes = fileSystem.newAttributes({ uid, gid, groups: [] }, permissions, modifiedMs);
  let copy: Inode;
  if (inode instanceof DirectoryInode) copy = new DirectoryInode(attributes);
  else if (inode instanceof FileInode) copy = copyOfFile(inode, new FileInode(attributes, { fileSystem }));
  else if (inode instanceof SymlinkInode) copy = new SymlinkInode(attributes, inode.target);
  else return undefined;
  fileSystem.countEntry(copy);
  return copy;
}

/** Where nothing was written, nothing is. */
function copyOfFile(from: FileInode, to: FileInode): FileInode {
  const sizeBytes = from.contentBytes;
  to.truncate(sizeBytes);
  for (let offset = 0; offset < sizeBytes; ) {
    const bytes = from.read(offset, chunkBytes);
    if (bytes.some((byte) => byte !== 0)) to.write(offset, bytes);
    offset += bytes.length;
  }
  to.program = from.program;
  return to;
}

function ownAs(inode: Inode, { uid, gid, permissions, modifiedMs }: Inode): void {
  inode.uid = uid;
  inode.gid = gid;
  inode.permissions = permissions;
  inode.modifiedMs = modifiedMs;
}
