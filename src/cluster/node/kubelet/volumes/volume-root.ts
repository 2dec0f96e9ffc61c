// Where the content of a volume is, and that of paths of the node.

import { asciiLowerCase } from "#sim/ascii.ts";
import { SysError } from "#sim/errors.ts";
import type { HostFiles } from "#sim/filesystem/host-files.ts";
import type { Inode } from "#sim/filesystem/inode.ts";
import type { Mount } from "#sim/filesystem/mounts.ts";
import { VolumeError } from "./payload.ts";

/** Where a volume's content is. */
export interface VolumeRoot {
  readonly fileSystem: Mount["fileSystem"];
  readonly root: Inode;
  readonly readOnly?: boolean;
  /** The path on the node that a Pod names. */
  readonly source?: string | undefined;
}

const specialFiles = { Socket: "socket file", CharDevice: "character device", BlockDevice: "block device" };

/** Throws VolumeError with the kubelet's words when what is there is not of the wanted type. */
export function hostPathRoot(files: HostFiles, path: string, type: string): VolumeRoot {
  const actual = files.exists(path) ? files.stat(path).type : undefined;
  if (type === "DirectoryOrCreate" || (type === "" && actual === undefined)) {
    if (actual !== undefined && actual !== "directory")
      throw new VolumeError(`hostPath type check failed: ${path} is not a directory`);
    files.makeDirectories(path);
  } else if (type === "FileOrCreate") {
    if (actual === undefined) writeEmpty(files, path);
    else if (actual !== "file") throw new VolumeError(`hostPath type check failed: ${path} is not a file`);
  } else if (type === "Directory" && actual !== "directory") {
    throw new VolumeError(`hostPath type check failed: ${path} is not a directory`);
  } else if (type === "File" && actual !== "file") {
    throw new VolumeError(`hostPath type check failed: ${path} is not a file`);
  } else if (type === "Socket" || type === "CharDevice" || type === "BlockDevice") {
    throw new VolumeError(`hostPath type check failed: ${path} is not a ${specialFiles[type]}`);
  }
  return { ...files.bind(path), source: path };
}

function writeEmpty(files: HostFiles, path: string): void {
  try {
    files.writeFile(path, "");
  } catch (error) {
    if (error instanceof SysError) throw new VolumeError(`open ${path}: ${asciiLowerCase(error.message)}`);
    throw error;
  }
}
