// The file model: what a file system tree is made of, and what `stat` tells.

import type { Bytes } from "./bytes.ts";
import type { Program } from "./program.ts";

/** An entry of an immutable tree, such as an image's layers. Parents are made as needed (root, 0755). */
export type TreeEntry = { readonly permissions?: number; readonly uid?: number; readonly gid?: number } & (
  | { readonly type: "file"; readonly content: string | Bytes }
  /** A file whose content is put together when somebody first looks at it. */
  | { readonly type: "made"; readonly make: () => string }
  /** An executable; `sizeBytes` is what `ls -l` shows. */
  | { readonly type: "program"; readonly program: Program; readonly sizeBytes?: number }
  | { readonly type: "directory" }
  | { readonly type: "symlink"; readonly target: string }
);

/** Absolute path → entry. */
export type FileTree = ReadonlyMap<string, TreeEntry>;

export type FileType = "file" | "directory" | "symlink" | "fifo" | "socket" | "character";

export interface FileStat {
  readonly type: FileType;
  readonly inode: number;
  /** Permission bits with setuid, setgid and sticky: 0o7777. */
  readonly permissions: number;
  readonly uid: number;
  readonly gid: number;
  readonly links: number;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
}

export interface OpenMode {
  readonly read?: boolean;
  readonly write?: boolean;
  readonly append?: boolean;
  readonly create?: boolean;
  readonly exclusive?: boolean;
  readonly truncate?: boolean;
  readonly directory?: boolean;
}
