// /proc, as far as programs and learners read it. One tree serves all: what it shows depends on who looks.

import { encodeUtf8 } from "../bytes.ts";
import { SysError } from "../errors.ts";
import { capabilitiesOf, capabilityBits, mayLookInto } from "../process/capabilities.ts";
import type { ControlGroup } from "../process/control-group.ts";
import type { OpenFile } from "../process/descriptors.ts";
import { TextFile } from "../process/open-file.ts";
import type { KernelProcess } from "../process/process.ts";
import { swapsText } from "../process/swap.ts";
import { hostIdOf, mapText, overflowId, ownIdOf } from "../process/user-namespace.ts";
import { cgroupPath } from "./cgroups.ts";
import { type Caller, DirectoryInode, type Inode, kernelAttributes, SpecialInode, SymlinkInode } from "./inode.ts";
import { lateLegacyCgroups } from "./late-legacy-cgroups.ts";
import { lateSysctls } from "./late-sysctls.ts";
import type { MountNamespace } from "./mounts.ts";

const ownersOf = ({ uid, gid, userNamespace }: KernelProcess) => ({
  uid: hostIdOf(uid, userNamespace),
  gid: hostIdOf(gid, userNamespace),
});

function looker(caller: Caller): KernelProcess | undefined {
  return "pidNamespace" in caller ? (caller as KernelProcess) : undefined;
}

function textFile(path: string, permissions: number, content: (caller: Caller) => string): SpecialInode {
  return new SpecialInode(kernelAttributes(permissions), "file", (caller) => new TextFile(path, encodeUtf8(content(caller))));
}

/** Throws EACCES unless the caller may look into the process. */
function checkLook(caller: Caller, process: KernelProcess): void {
  const by = looker(caller);
  if (by !== undefined && !mayLookInto(by, process)) throw new SysError("EACCES");
}

/** A symbolic link that leads to an open file. */
class DescriptorLink extends SymlinkInode {
  readonly #process: KernelProcess;
  readonly #file: OpenFile;

  constructor(process: KernelProcess, file: OpenFile) {
    super({ ...kernelAttributes(0o700), ...ownersOf(process) }, file.description);
    this.#process = process;
    this.#file = file;
  }

  override targetFor(caller: Caller): string {
    checkLook(caller, this.#process);
    return this.target;
  }

  override openFileFor(caller: Caller): OpenFile {
    checkLook(caller, this.#process);
    return this.#file;
  }
}

/** `root` and `cwd`: they lead into the tree of files that the process sees (proc_pid_root(5)). */
class TreeLink extends SymlinkInode {
  readonly #process: KernelProcess;

  constructor(process: KernelProcess, target: string) {
    super({ ...kernelAttributes(0o777), ...ownersOf(process) }, target);
    this.#process = process;
  }

  override targetFor(caller: Caller): string {
    checkLook(caller, this.#process);
    return this.target;
  }

  override treeFor(caller: Caller): { readonly namespace: MountNamespace; readonly seenAt: string } {
    const pid = looker(caller)?.pidNamespace.pidOf(this.#process) ?? this.#process.pid;
    return { namespace: this.#process.mountNamespace, seenAt: `/proc/${pid}/root` };
  }
}

class SelfLink extends SymlinkInode {
  override targetFor(caller: Caller): string {
    const process = looker(caller);
    if (process === undefined) throw new SysError("ENOENT");
    return `/proc/${process.pid}${this.target}`;
  }
}

class DescriptorDirectory extends DirectoryInode {
  readonly #process: KernelProcess;

  constructor(process: KernelProcess) {
    super({ ...kernelAttributes(0o500), ...ownersOf(process) });
    this.#process = process;
  }

  override lookup(name: string): Inode | undefined {
    const { table } = this.#process;
    const fd = Number(name);
    return /^\d+$/.test(name) && table.has(fd) ? new DescriptorLink(this.#process, table.get(fd)) : undefined;
  }

  override names(): readonly string[] {
    return this.#process.table.numbers().map(String);
  }
}

const processFiles: { readonly [name: string]: (process: KernelProcess, seenBy: KernelProcess) => string } = {
  cmdline: (process) => process.argv.map((word) => `${word}\0`).join(""),
  comm: (process) => `${process.commandName}\n`,
  gid_map: ({ userNamespace }) => mapText(userNamespace),
  environ: (process) => [...process.presentEnv].map(([name, value]) => `${name}=${value}\0`).join(""),
  mounts: mountsText,
  status: statusText,
  stat: statText,
  cgroup: ({ controlGroup }, seenBy) => {
    const path = cgroupPath(controlGroup, seenBy.controlGroup);
    return controlGroup.cgroupVersion === 1 ? lateLegacyCgroups.code.membershipText(path) : `0::${path}\n`;
  },
  oom_score_adj: (process) => `${process.controlGroup.policy.scoreAdjust}\n`,
  uid_map: ({ userNamespace }) => mapText(userNamespace),
};

class ProcessDirectory extends DirectoryInode {
  readonly #process: KernelProcess;

  constructor(process: KernelProcess) {
    super({ ...kernelAttributes(0o555), ...ownersOf(process) });
    this.#process = process;
  }

  override lookup(name: string): Inode | undefined {
    const process = this.#process;
    if (name === "fd") return new DescriptorDirectory(process);
    if (name === "cwd") return new TreeLink(process, process.cwd);
    if (name === "root") return new TreeLink(process, "/");
    const content = Object.hasOwn(processFiles, name) ? processFiles[name] : undefined;
    if (content === undefined) return undefined;
    const isPrivate = name === "environ";
    const inode = textFile(`/proc/${process.pid}/${name}`, isPrivate ? 0o400 : 0o444, (caller) => {
      if (isPrivate) checkLook(caller, process);
      return content(process, looker(caller) ?? process);
    });
    Object.assign(inode, ownersOf(process));
    return inode;
  }

  override names(): readonly string[] {
    return [...Object.keys(processFiles), "cwd", "fd", "root"].sort();
  }
}

export class ProcRoot extends DirectoryInode {
  readonly #fixed: ReadonlyMap<string, Inode>;

  constructor(startedMs: number, nowMs: () => number, otherwise: ControlGroup) {
    super(kernelAttributes(0o555));
    const machineOf = (caller: Caller) => (looker(caller)?.controlGroup ?? otherwise).machine;
    this.#fixed = new Map<string, Inode>([
      ["self", new SelfLink(kernelAttributes(0o777), "")],
      ["mounts", new SelfLink(kernelAttributes(0o777), "/mounts")],
      ["cgroups", textFile("/proc/cgroups", 0o444, (caller) => lateLegacyCgroups.code.controllersText(machineOf(caller)))],
      ["cmdline", textFile("/proc/cmdline", 0o444, (caller) => `${(looker(caller)?.controlGroup ?? otherwise).commandLine}\n`)],
      ["cpuinfo", textFile("/proc/cpuinfo", 0o444, (caller) => cpuText(machineOf(caller).figures?.cpus ?? 1))],
      ["meminfo", textFile("/proc/meminfo", 0o444, (caller) => memoryText(machineOf(caller)))],
      ["swaps", textFile("/proc/swaps", 0o444, (caller) => swapsText(machineOf(caller).swap))],
      ["uptime", textFile("/proc/uptime", 0o444, () => `${((nowMs() - startedMs) / 1000).toFixed(2)} 0.00\n`)],
      ["loadavg", textFile("/proc/loadavg", 0o444, (caller) => `0.00 0.00 0.00 1/${looker(caller)?.pidNamespace.size ?? 1} 1\n`)],
      [
        "version",
        textFile("/proc/version", 0o444, (caller) => {
          const { release, compiler, build } = (looker(caller)?.controlGroup ?? otherwise).kernel;
          return `Linux version ${release} ${compiler}${build}\n`;
        }),
      ],
    ]);
  }

  override lookup(name: string, caller: Caller): Inode | undefined {
    const fixed = this.#fixed.get(name);
    if (fixed !== undefined) return fixed;
    if (name === "sys") return lateSysctls.code.sysctlRoot();
    if (!/^[1-9]\d*$/.test(name)) return undefined;
    const process = looker(caller)?.pidNamespace.get(Number(name));
    return process === undefined ? undefined : new ProcessDirectory(process);
  }

  override names(caller: Caller): readonly string[] {
    const namespace = looker(caller)?.pidNamespace;
    const pids = namespace === undefined ? [] : [...namespace.all()].map((process) => String(namespace.pidOf(process)));
    return [...pids, ...this.#fixed.keys(), "sys"].sort();
  }
}

function mountsText(process: KernelProcess): string {
  return process.mountNamespace
    .describe()
    .map((mount) => `${mount.source} ${mount.path} ${mount.type} ${mount.options} 0 0\n`)
    .join("");
}

const stateLetters = { running: "R", sleeping: "S", "waiting for the disk": "D", stopped: "T", zombie: "Z" } as const;
const stateWords = {
  running: "running",
  sleeping: "sleeping",
  "waiting for the disk": "disk sleep",
  stopped: "stopped",
  zombie: "zombie",
} as const;

function statusText(process: KernelProcess, seenBy: KernelProcess): string {
  const { state, memoryBytes, pid, ppid } = seenBy.pidNamespace.infoOf(process);
  const seen = (id: number): number => ownIdOf(hostIdOf(id, process.userNamespace), seenBy.userNamespace) ?? overflowId;
  const kibibytes = `${Math.floor(memoryBytes / 1024)} kB`.padStart(11);
  const four = (id: number): string => Array(4).fill(seen(id)).join("\t");
  const rows: readonly (readonly [string, string])[] = [
    ["Name", process.commandName],
    ["Umask", process.umaskBits.toString(8).padStart(4, "0")],
    ["State", `${stateLetters[state]} (${stateWords[state]})`],
    ["Tgid", String(pid)],
    ["Pid", String(pid)],
    ["PPid", String(ppid)],
    ["Uid", four(process.uid)],
    ["Gid", four(process.gid)],
    ["Groups", process.groups.map((group) => `${seen(group)} `).join("")],
    ["VmRSS", kibibytes],
    ["Threads", String(Math.max(1, process.threads.length))],
    ["CapInh", capabilityBits(new Set())],
    ["CapPrm", capabilityBits(capabilitiesOf(process))],
    ["CapEff", capabilityBits(capabilitiesOf(process))],
    ["CapBnd", capabilityBits(process.bounding)],
    ["CapAmb", capabilityBits(new Set())],
    ["NoNewPrivs", process.restrictions?.noNewPrivileges === true ? "1" : "0"],
    ["Seccomp", process.restrictions?.isFiltered === true ? "2" : "0"],
    ["Seccomp_filters", process.restrictions?.isFiltered === true ? "1" : "0"],
  ];
  return rows.map(([name, value]) => `${name}:\t${value}\n`).join("");
}

function statText(process: KernelProcess): string {
  const { state, cpuMs, pid, ppid, pgid } = process.info();
  return `${pid} (${process.commandName}) ${stateLetters[state]} ${ppid} ${pgid} ${process.sid} 0 -1 0 0 0 0 0 ${Math.floor(cpuMs / 10)} 0 0 0 20 0 1 0\n`;
}

/** There is no cache of files: what nobody holds is free. */
function memoryText({ memoryBytes, figures, swap }: ControlGroup): string {
  const { memoryBytes: totalBytes = 0, systemMemoryBytes = 0 } = figures ?? {};
  const freeBytes = Math.max(0, totalBytes - systemMemoryBytes - memoryBytes);
  const rows = {
    MemTotal: totalBytes,
    MemFree: freeBytes,
    MemAvailable: freeBytes,
    Buffers: 0,
    Cached: 0,
    SwapTotal: swap?.totalBytes ?? 0,
    SwapFree: swap?.freeBytes ?? 0,
  };
  return Object.entries(rows)
    .map(([name, bytes]) => `${`${name}:`.padEnd(16)}${String(Math.floor(bytes / 1024)).padStart(8)} kB\n`)
    .join("");
}

function cpuText(cpus: number): string {
  let text = "";
  for (let index = 0; index < cpus; index += 1)
    text += `processor\t: ${index}\nmodel name\t: Pilothouse Virtual CPU\ncpu MHz\t\t: 2400.000\n\n`;
  return text;
}
