// /dev as containers and hosts have it.

import { type Bytes, noBytes } from "../bytes.ts";
import { SysError } from "../errors.ts";
import { zeros } from "../process/backing.ts";
import { BaseOpenFile } from "../process/open-file.ts";
import type { KernelProcess } from "../process/process.ts";
import { rootCaller } from "./file-system.ts";
import { type Caller, DirectoryInode, SpecialInode, SymlinkInode } from "./inode.ts";

class DeviceFile extends BaseOpenFile {
  readonly description: string;
  readonly #read: (maxBytes: number, process: KernelProcess) => Bytes;
  readonly #full: boolean;

  constructor(description: string, read: (maxBytes: number, process: KernelProcess) => Bytes, full = false) {
    super();
    this.description = description;
    this.#read = read;
    this.#full = full;
  }

  override tryRead(maxBytes: number, process: KernelProcess): Bytes {
    return this.#read(maxBytes, process);
  }

  override tryWrite(data: Bytes): number {
    if (this.#full) throw new SysError("ENOSPC");
    return data.length;
  }

  override seek(): number {
    return 0;
  }

  override truncate(): void {}
}

const maximumRandomBytes = 4096;

function randomBytes(maxBytes: number, process: KernelProcess): Bytes {
  const bytes = new Uint8Array(Math.min(maxBytes, maximumRandomBytes));
  process.spend(bytes.length >> 4);
  for (let index = 0; index < bytes.length; index += 1) bytes[index] = process.random.below(256);
  return bytes;
}

/** Terminals are opened by whoever calls: undefined outside of a process. */
function terminalOf(caller: Caller) {
  const terminal = (caller as Partial<KernelProcess>).controllingTerminal;
  if (terminal === undefined) throw new SysError("ENOENT");
  return terminal.open();
}

/** An open /dev/null. */
export function openNull(): BaseOpenFile {
  return new DeviceFile("/dev/null", () => noBytes);
}

/** The shared tree of /dev. */
export function deviceTree(modifiedMs: number): DirectoryInode {
  let nextId = 1;
  const attributes = (permissions: number) => ({ id: nextId++, permissions, uid: 0, gid: 0, modifiedMs, shared: true });
  const root = new DirectoryInode(attributes(0o755));
  const device = (name: string, open: (caller: Caller) => BaseOpenFile): void =>
    root.set(name, new SpecialInode({ ...attributes(0o666), isOfMachine: true }, "character", open));
  device("null", openNull);
  device("zero", () => new DeviceFile("/dev/zero", zeros));
  device("full", () => new DeviceFile("/dev/full", zeros, true));
  device("random", () => new DeviceFile("/dev/random", randomBytes));
  device("urandom", () => new DeviceFile("/dev/urandom", randomBytes));
  device("tty", terminalOf);
  const link = (name: string, target: string): void => root.set(name, new SymlinkInode(attributes(0o777), target));
  link("fd", "/proc/self/fd");
  link("stdin", "/proc/self/fd/0");
  link("stdout", "/proc/self/fd/1");
  link("stderr", "/proc/self/fd/2");
  root.set("shm", new DirectoryInode(attributes(0o1777)));
  root.set("pts", new DirectoryInode(attributes(0o755)));
  void rootCaller;
  return root;
}
