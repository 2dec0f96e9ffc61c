// /proc/sys: kernel parameters as files (sysctl(8)). Some belong to a network namespace, some to an IPC namespace, the others to the
// machine; who looks sees those of its own.

import { type Bytes, decodeUtf8, encodeUtf8 } from "../bytes.ts";
import { SysError } from "../errors.ts";
import type { NetworkStack, WithSysctls } from "../net.ts";
import { TextFile } from "../process/open-file.ts";
import type { KernelProcess } from "../process/process.ts";
import { type Caller, DirectoryInode, type Inode, kernelAttributes, SpecialInode } from "./inode.ts";

type Scope = "network" | "ipc" | "machine";

interface Parameter {
  readonly scope: Scope;
  readonly value: string;
  /** In the network namespace of a pod: containerd opens low ports and ping to everybody there. */
  readonly podValue?: string;
  /** A text, not numbers. */
  readonly isText?: boolean;
  /** Nobody can write it. */
  readonly isFixed?: boolean;
}

const hugest = "18446744073692774399";
const network = (value: string, more: Partial<Parameter> = {}): Parameter => ({ scope: "network", value, ...more });
const ipc = (value: string): Parameter => ({ scope: "ipc", value });
const machine = (value: string, more: Partial<Parameter> = {}): Parameter => ({ scope: "machine", value, ...more });

/** Linux 6.12's defaults, with what kubelet, kube-proxy and Kubernetes' guides set on a node. */
const parameters: { readonly [name: string]: Parameter } = {
  "fs.file-max": machine("9223372036854775807"),
  "fs.inotify.max_user_instances": machine("128"),
  "fs.inotify.max_user_watches": machine("65536"),
  "fs.mqueue.msg_max": ipc("10"),
  "fs.mqueue.msgsize_max": ipc("8192"),
  "fs.mqueue.queues_max": ipc("256"),
  "fs.nr_open": machine("1048576"),
  "kernel.domainname": machine("(none)", { isText: true, isFixed: true }),
  "kernel.hostname": machine("", { isText: true, isFixed: true }),
  "kernel.msgmax": ipc("8192"),
  "kernel.msgmnb": ipc("16384"),
  "kernel.msgmni": ipc("32000"),
  "kernel.osrelease": machine("", { isText: true, isFixed: true }),
  "kernel.ostype": machine("Linux", { isText: true, isFixed: true }),
  "kernel.panic": machine("10"),
  "kernel.panic_on_oops": machine("1"),
  "kernel.pid_max": machine("4194304"),
  "kernel.sem": ipc("32000\t1024000000\t500\t32000"),
  "kernel.shm_rmid_forced": ipc("0"),
  "kernel.shmall": ipc(hugest),
  "kernel.shmmax": ipc(hugest),
  "kernel.shmmni": ipc("4096"),
  "net.core.somaxconn": network("4096"),
  "net.ipv4.ip_default_ttl": network("64"),
  "net.ipv4.ip_forward": network("1"),
  "net.ipv4.ip_local_port_range": network("32768\t60999"),
  "net.ipv4.ip_local_reserved_ports": network("", { isText: true }),
  "net.ipv4.ip_nonlocal_bind": network("0"),
  "net.ipv4.ip_unprivileged_port_start": network("1024", { podValue: "0" }),
  "net.ipv4.ping_group_range": network("0\t2147483647"),
  "net.ipv4.tcp_fin_timeout": network("60"),
  "net.ipv4.tcp_keepalive_intvl": network("75"),
  "net.ipv4.tcp_keepalive_probes": network("9"),
  "net.ipv4.tcp_keepalive_time": network("7200"),
  "net.ipv4.tcp_max_syn_backlog": network("512"),
  "net.ipv4.tcp_rmem": network("4096\t131072\t6291456"),
  "net.ipv4.tcp_syncookies": network("1"),
  "net.ipv4.tcp_tw_reuse": network("2"),
  "net.ipv4.tcp_wmem": network("4096\t16384\t4194304"),
  "vm.max_map_count": machine("1048576"),
  "vm.overcommit_memory": machine("1"),
  "vm.panic_on_oom": machine("0"),
  "vm.swappiness": machine("60"),
};

/** Whose parameters a process sees. */
type Viewer = Pick<KernelProcess, "controlGroup" | "hostname" | "ipc" | "network">;

function holderOf({ controlGroup, ipc: own, network: stack }: Viewer, scope: Scope): WithSysctls {
  if (scope === "network") return stack;
  return scope === "ipc" ? (own ?? controlGroup.machine) : controlGroup.machine;
}

function readValue(viewer: Viewer, name: string, parameter: Parameter): string {
  if (name === "kernel.hostname") return viewer.hostname;
  if (name === "kernel.osrelease") return viewer.controlGroup.kernel.release;
  const set = holderOf(viewer, parameter.scope).sysctls?.get(name);
  if (set !== undefined) return set;
  return parameter.podValue !== undefined && isPod(viewer.network) ? parameter.podValue : parameter.value;
}

function isPod(stack: NetworkStack): boolean {
  return stack.place().links.some(({ name, peerIndex }) => name === "eth0" && peerIndex !== undefined);
}

/** As the kernel reads what is written. Throws EINVAL. */
function parsed({ value, isText }: Parameter, written: string): string {
  const text = written.replace(/\0.*$/su, "").trim();
  if (isText === true) return text;
  const numbers = text.split(/\s+/u);
  const count = value.split("\t").length;
  if (numbers.some((number) => !/^-?\d+$/u.test(number)) || numbers.length > count) throw new SysError("EINVAL");
  return [...numbers, ...value.split("\t").slice(numbers.length)].join("\t");
}

/** What acts on what. Throws EINVAL. */
function setIn(holder: WithSysctls, name: string, parameter: Parameter, written: string): void {
  const value = parsed(parameter, written);
  if (parameter.scope === "network") act(holder as NetworkStack, name, value);
  holder.sysctls ??= new Map();
  holder.sysctls.set(name, value);
}

function act(stack: NetworkStack, name: string, value: string): void {
  if (name === "net.ipv4.ip_unprivileged_port_start") stack.unprivilegedFrom = portIn(value);
  else if (name === "net.ipv4.ip_local_port_range") {
    const [first = 0, last = 0] = value.split("\t").map(portIn);
    if (first < 1 || first > last) throw new SysError("EINVAL");
    stack.localPorts = { ...stack.localPorts, first, last };
  } else if (name === "net.ipv4.ip_local_reserved_ports") {
    const ranges = value === "" ? [] : value.split(",").map((range) => range.split("-").map(portIn));
    const reserved = new Set<number>();
    for (const [first = 0, last = first] of ranges) for (let port = first; port <= last; port += 1) reserved.add(port);
    stack.localPorts = { ...stack.localPorts, reserved };
  }
}

function portIn(text: string): number {
  const port = /^\d+$/u.test(text) ? Number(text) : Number.NaN;
  if (Number.isNaN(port) || port > 65_535) throw new SysError("EINVAL");
  return port;
}

const failed = "failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed";

/** What a sandbox is made with; why it cannot be made. */
export function applySysctls(
  sandbox: { readonly id: string; readonly network: NetworkStack; readonly ipc: WithSysctls | undefined },
  wanted: ReadonlyMap<string, string>,
): string | undefined {
  const fault = faultOf(sandbox, wanted);
  return fault && `failed to start sandbox "${sandbox.id}": ${failed}: ${fault}`;
}

function faultOf(
  sandbox: { readonly network: NetworkStack; readonly ipc: WithSysctls | undefined },
  wanted: ReadonlyMap<string, string>,
): string | undefined {
  for (const [name, value] of wanted) {
    const parameter = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
    const holder = parameter?.scope === "network" ? sandbox.network : sandbox.ipc;
    const path = `/proc/sys/${name.replaceAll(".", "/")}`;
    if (parameter === undefined) return `open ${path}: no such file or directory`;
    if (parameter.scope === "machine" || holder === undefined) return `sysctl "${name}" is not in a separate kernel namespace`;
    try {
      setIn(holder, name, parameter, value);
    } catch (error) {
      if (error instanceof SysError) return `write ${path}: invalid argument`;
      throw error;
    }
  }
  return undefined;
}

class SysctlFile extends TextFile {
  readonly #write: (text: string) => void;

  constructor(path: string, value: string, write: (text: string) => void) {
    super(path, encodeUtf8(`${value}\n`));
    this.#write = write;
  }

  override tryWrite(data: Bytes): number {
    this.#write(decodeUtf8(data));
    return data.length;
  }
}

function fileOf(name: string, parameter: Parameter): SpecialInode {
  const path = `/proc/sys/${name.replaceAll(".", "/")}`;
  const permissions = parameter.isFixed === true ? 0o444 : 0o644;
  const inode = new SpecialInode(kernelAttributes(permissions), "file", (caller, mode) => {
    const viewer = caller as unknown as KernelProcess;
    const writes = mode.write === true || mode.append === true;
    // It is mounted to be read only, except in privileged containers.
    if (writes && !viewer.bounding.has("SYS_ADMIN")) throw new SysError("EROFS");
    if (writes && parameter.isFixed === true) throw new SysError("EACCES");
    return new SysctlFile(path, readValue(viewer, name, parameter), (text) =>
      setIn(holderOf(viewer, parameter.scope), name, parameter, text),
    );
  });
  inode.decidesItself = true;
  return inode;
}

class SysctlDirectory extends DirectoryInode {
  readonly #prefix: string;

  constructor(prefix: string) {
    super(kernelAttributes(0o555));
    this.#prefix = prefix;
  }

  override lookup(name: string, caller: Caller): Inode | undefined {
    // Who looks from outside of all processes has no namespaces.
    if (!("pidNamespace" in caller)) return undefined;
    const path = `${this.#prefix}${name}`;
    if (Object.hasOwn(parameters, path)) return fileOf(path, parameters[path] as Parameter);
    return this.names().includes(name) ? new SysctlDirectory(`${path}.`) : undefined;
  }

  override names(): readonly string[] {
    const names = new Set<string>();
    for (const name of Object.keys(parameters))
      if (name.startsWith(this.#prefix)) names.add(name.slice(this.#prefix.length).split(".")[0] as string);
    return [...names];
  }
}

export function sysctlRoot(): DirectoryInode {
  return new SysctlDirectory("");
}
