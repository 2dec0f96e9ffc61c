// The learner's machine: a host outside the cluster with a shell, the usual tools, kubectl and a kubeconfig.

import { commandFiles } from "#shell/command-files.ts";
import { writeDocument } from "#shell/editor/document.ts";
import type { TypedLine } from "#shell/line/interactive.ts";
import { shellProgram } from "#shell/programs.ts";
import { decodeUtf8 } from "#sim/bytes.ts";
import type { FileTree, TreeEntry } from "#sim/files.ts";
import type { Kernel, ProcessHandle, StartOptions } from "#sim/kernel.ts";
import { lateProgram } from "#sim/late-programs.ts";
import { Listeners } from "#sim/listeners.ts";
import type { NetworkStack } from "#sim/net.ts";
import type { Process, Program, Sys } from "#sim/program.ts";
import type { TerminalDevice } from "#sim/terminal/device.ts";
import { type BrowsedPage, fetchPage } from "./browser.ts";
import { withoutInternet } from "./guide/internet.ts";
import { guideFiles } from "./guide/start-up.ts";
import { startFilesOf } from "./start-files.ts";

export const learner = { name: "learner", uid: 1000, home: "/home/learner" } as const;
const knownStart = startFilesOf(learner.home);
const hostname = "workstation";
/** What the machine has, and how many processes a login may have (systemd's TasksMax). */
const limits = { memoryBytes: 4 * 1024 ** 3, cpuMillicores: 2000, pids: 1024 } as const;
const diskBytes = 20 * 1024 ** 3;

/** A command that ended on the workstation. */
export interface CommandRecord {
  readonly line: string;
  readonly code: number;
  readonly startedMs: number;
  readonly endedMs: number;
}

export interface WorkstationOptions {
  readonly kernel: Kernel;
  readonly network: NetworkStack;
  /** The administrator's kubeconfig, worked out when it is first read. */
  readonly kubeconfig: () => string;
  /** Files of the home directory by name. */
  readonly files: { readonly [name: string]: string };
  /** Address → names, for /etc/hosts; a machine that it knows by its address only has none. */
  readonly hosts: ReadonlyMap<string, readonly string[]>;
  /** Programs beside the usual ones, by path. */
  readonly programs: ReadonlyMap<string, Program>;
}

export class Workstation {
  /** Commands that have ended, in order. */
  readonly history: CommandRecord[] = [];
  readonly #lines: TypedLine[] = [];
  /** Lines during which a file was written. */
  readonly #writers = new Set<TypedLine>();
  readonly #shell = shellProgram("bash", { onLine: (line) => this.#lineEnded(line), knownStart });
  /** Told after each entry. */
  readonly onCommand = new Listeners();
  readonly #kernel: Kernel;
  readonly #network: NetworkStack;
  readonly #pids;
  readonly #group;
  readonly #mounts;
  readonly #files;

  constructor(options: WorkstationOptions) {
    const { kernel } = options;
    this.#kernel = kernel;
    this.#network = options.network;
    this.#pids = kernel.createPidNamespace();
    this.#group = kernel.createMachineGroup(limits, { memoryBytes: limits.memoryBytes, cpus: limits.cpuMillicores / 1000 });
    const disk = kernel.createDisk(this.#tree(options), { limitBytes: diskBytes });
    this.#mounts = kernel.createMountNamespace(disk, [
      { path: "/tmp", fileSystem: kernel.createTmpfs({ limitBytes: limits.memoryBytes / 2 }) },
    ]);
    this.#files = kernel.files(this.#mounts);
    this.#own(`${learner.home}/.kube/config`, (path) => this.#files.provideFile(path, options.kubeconfig, { permissions: 0o600 }));
    for (const [name, content] of Object.entries(options.files)) {
      this.#own(`${learner.home}/${name}`, (path) => this.#files.writeFile(path, content));
    }
    this.#start({ run: idleInit, argv: ["init"], uid: 0 });
  }

  get address(): string {
    return this.#network.addresses.at(-1) ?? "";
  }

  /** A login shell on a terminal; `onEnd` when it has exited. */
  startShell(terminal: TerminalDevice, onEnd: () => void): void {
    const handle = this.#start({ run: "/bin/bash", argv: ["-bash"], terminal });
    handle.onExit = onEnd;
  }

  /** Lines typed at a prompt that have ended and in which a program ran or a file was written, in order. */
  typedLines(): readonly TypedLine[] {
    const ranProgram = ({ startedMs, endedMs }: TypedLine): boolean =>
      this.history.some((command) => command.startedMs >= startedMs && command.startedMs <= endedMs);
    return this.#lines.filter((line) => this.#writers.has(line) || ranProgram(line));
  }

  #lineEnded(line: TypedLine): void {
    this.#lines.push(line);
    if ([learner.home, "/tmp"].some((folder) => this.#wroteSince(line.startedMs, folder))) this.#writers.add(line);
  }

  /** Whether a file below a folder was written from a moment on. Of `.kube` only programs write: its kubeconfig is worked out late. */
  #wroteSince(fromMs: number, folder: string): boolean {
    return this.#files.readdir(folder).some((name) => {
      const path = `${folder}/${name}`;
      if (name === ".kube") return false;
      const { type, modifiedMs } = this.#files.lstat(path);
      if (type === "directory") return this.#wroteSince(fromMs, path);
      return type === "file" && modifiedMs >= fromMs;
    });
  }

  /** Runs a script to its end; output of both streams together. */
  runScript(script: string, done: (result: { readonly code: number; readonly output: string }) => void): void {
    let output = "";
    const collect = (bytes: Uint8Array): void => {
      output += decodeUtf8(bytes);
    };
    const handle = this.#start({ run: "/bin/bash", argv: ["bash", "-c", script], stdout: collect, stderr: collect });
    handle.onExit = ({ code }) => done({ code, output });
  }

  /** Fetches a page for the learner's browser. */
  browse(url: string, done: (page: BrowsedPage) => void): void {
    this.#start({ run: fetchPage(url, done), argv: ["browser", url] });
  }

  /** Runs a program with the machine's files and network that its `ps` does not show. */
  runUnseen(program: Program): void {
    this.#start({ run: program, argv: ["client"], pidNamespace: this.#kernel.createPidNamespace(), background: true });
  }

  /** Saves a file as the learner; the reason when it was refused. Relative paths begin at the home directory. */
  saveFile(path: string, text: string, done: (refused: string | undefined) => void): void {
    const save = function* (self: Process): Sys<number> {
      done(writeDocument(self, path, text));
      return 0;
    };
    this.#start({ run: save, argv: ["editor", path] });
  }

  /** The learner's own files, by path below the home directory; hidden ones are left out. */
  listFiles(): readonly string[] {
    return this.#filesBelow("").sort();
  }

  #filesBelow(folder: string): string[] {
    const names = this.#files.readdir(`${learner.home}/${folder}`).filter((name) => !name.startsWith("."));
    return names.flatMap((name) => {
      const path = `${folder}${name}`;
      const { type } = this.#files.lstat(`${learner.home}/${path}`);
      if (type === "directory") return this.#filesBelow(`${path}/`);
      return type === "file" ? [path] : [];
    });
  }

  /** Text of a file, undefined when it cannot be read; relative paths begin at the home directory. */
  readFile(path: string): string | undefined {
    try {
      return this.#files.readText(path.startsWith("/") ? path : `${learner.home}/${path}`);
    } catch {
      return undefined;
    }
  }

  #start(
    options: Pick<StartOptions, "run" | "argv" | "terminal" | "stdout" | "stderr"> &
      Partial<Pick<StartOptions, "uid" | "pidNamespace" | "background">>,
  ): ProcessHandle {
    const env = new Map([
      ["HOME", learner.home],
      ["USER", learner.name],
      ["LOGNAME", learner.name],
      ["SHELL", "/bin/bash"],
      ["PATH", "/usr/local/bin:/usr/bin:/bin"],
      ["LANG", "C.UTF-8"],
      ["EDITOR", "nano"],
      ...(options.terminal === undefined ? [] : [["TERM", "xterm-256color"] as const]),
    ]);
    return this.#kernel.start({
      uid: learner.uid,
      gid: learner.uid,
      cwd: learner.home,
      env,
      hostname,
      pidNamespace: this.#pids,
      mounts: this.#mounts,
      network: this.#network,
      controlGroup: this.#group,
      background: false,
      ...options,
    });
  }

  #own(path: string, make: (path: string) => void): void {
    const folder = path.slice(0, path.lastIndexOf("/"));
    this.#files.makeDirectories(folder);
    make(path);
    for (let at = folder; at.startsWith(learner.home); at = at.slice(0, at.lastIndexOf("/")))
      this.#files.chown(at, learner.uid, learner.uid);
    this.#files.chown(path, learner.uid, learner.uid);
  }

  #tree({ hosts, programs }: WorkstationOptions): FileTree {
    const known = new Set([...hosts].flatMap(([address, names]) => [address, ...names]));
    const tree = new Map<string, TreeEntry>();
    for (const [path, entry] of commandFiles("gnu")) {
      if (entry.type !== "program") tree.set(path, entry);
      else
        tree.set(path, { ...entry, program: isShell(path) ? this.#scripts(this.#shell) : this.#tool(path, entry.program, known) });
    }
    tree.set("/usr/local/bin/kubectl", {
      type: "program",
      program: this.#tool("/usr/local/bin/kubectl", lateProgram("kubectl"), known),
      sizeBytes: 58_601_656,
      permissions: 0o755,
    });
    for (const [path, program] of programs)
      tree.set(path, { type: "program", program: this.#recorded(program), permissions: 0o755 });
    for (const [path, name] of guideFiles) {
      tree.set(path, { type: "program", program: lateProgram(name), permissions: 0o755 });
    }
    const text = (path: string, content: string): void => {
      tree.set(path, { type: "file", content });
    };
    text("/etc/hostname", `${hostname}\n`);
    text(
      "/etc/passwd",
      `root:x:0:0:root:/root:/bin/bash\n${learner.name}:x:${learner.uid}:${learner.uid}::${learner.home}:/bin/bash\n`,
    );
    text("/etc/group", `root:x:0:\n${learner.name}:x:${learner.uid}:\n`);
    text(
      "/etc/hosts",
      [["127.0.0.1", ["localhost"]] as const, ["127.0.1.1", [hostname]] as const, ...hosts]
        .filter(([, names]) => names.length > 0)
        .map(([address, names]) => `${address}\t${names.join(" ")}\n`)
        .join(""),
    );
    for (const [path, content] of knownStart.files) text(path, content);
    tree.set(learner.home, { type: "directory", uid: learner.uid, gid: learner.uid, permissions: 0o755 });
    tree.set("/root", { type: "directory", permissions: 0o700 });
    return tree;
  }

  #tool(path: string, program: Program, known: ReadonlySet<string>): Program {
    return this.#recorded(withoutInternet(path.slice(path.lastIndexOf("/") + 1), program, known));
  }

  /** A shell that notes the scripts it is given: `sh check.sh web` is a command of the learner's, the shell at a prompt is none. */
  #scripts(shell: Program): Program {
    const noted = this.#recorded(shell);
    return (self) => (/^[^-]/u.test(self.argv[1] ?? "") ? noted(self) : shell(self));
  }

  /** The same program, noted in the history when it ends, also by a signal. */
  #recorded(program: Program): Program {
    const note = (self: Process, code: number, startedMs: number): void => {
      // The shell asks kubectl for completions: no command of the learner's.
      if (self.argv[1] === "__complete") return;
      this.history.push({ line: self.argv.join(" "), code, startedMs, endedMs: self.nowMs });
      this.onCommand.tell();
    };
    return function* (self: Process): Sys<number> {
      const startedMs = self.nowMs;
      let code: number | undefined;
      try {
        code = yield* program(self);
        return code;
      } finally {
        note(self, code ?? self.exit?.code ?? 1, startedMs);
      }
    };
  }
}

function isShell(path: string): boolean {
  return /\/(ba|da)?sh$/.test(path);
}

/** PID 1 of the workstation: adopts and reaps what shells leave behind. */
function* idleInit(self: Process): Sys<number> {
  self.setSignal("CHLD", "catch");
  for (;;) {
    try {
      yield* self.wait(-1);
    } catch {
      try {
        yield* self.pause();
      } catch {
        self.takeSignals();
      }
    }
  }
}
