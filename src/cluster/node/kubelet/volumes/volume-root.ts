// Where the content of a volume is, and that of paths of the node.

import { SysError } from "#sim/errors.ts";
import type { FileType } from "#sim/files.ts";
import type { HostFiles } from "#sim/filesystem/host-files.ts";
import type { Inode } from "#sim/filesystem/inode.ts";
import type { Mount } from "#sim/filesystem/mounts.ts";
import { lateVolumes } from "./late-volumes.ts";

/** Where a volume's content is. */
export interface VolumeRoot {
  readonly fileSystem: Mount["fileSystem"];
  readonly root: Inode;
  readonly readOnly?: boolean;
  /** The path on the node that a Pod names. */
  readonly source?: string | undefined;
}

/** No machine here has block devices. */
const wanted: { readonly [type: string]: FileType } = {
  DirectoryOrCreate: "directory",
  Directory: "directory",
  FileOrCreate: "file",
  File: "file",
  Socket: "socket",
  CharDevice: "character",
};

/** Throws VolumeError when what is there is not of the wanted type, or cannot be made. */
export function hostPathRoot(files: HostFiles, path: string, type: string): VolumeRoot {
  const actual = files.exists(path) ? files.stat(path).type : undefined;
  // Of a path without a type the kubelet knows nothing; where nothing is, the runtime makes a directory.
  if (actual === undefined && (type === "" || type.endsWith("OrCreate"))) make(files, path, type === "FileOrCreate");
  else if (type !== "" && actual !== wanted[type]) throw lateVolumes.code.hostPathFault(path, type, actual);
  return { ...files.bind(path), source: path };
}

function make(files: HostFiles, path: string, isFile: boolean): void {
  try {
    if (isFile) files.writeFile(path, "");
    else files.makeDirectories(path);
  } catch (error) {
    throw error instanceof SysError ? lateVolumes.code.makingFault(files, isFile ? "open" : "mkdir", path, error) : error;
  }
}
