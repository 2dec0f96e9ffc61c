// A small machine for tests: a kernel, a disk and helpers to run programs to their end.

import { type Bytes, decodeUtf8 } from "./bytes.ts";
import type { FileTree, TreeEntry } from "./files.ts";
import { Kernel, type ProcessHandle, type StartOptions } from "./kernel.ts";
import type { NetworkStack } from "./net.ts";
import { LoopbackNetwork } from "./network/loopback.ts";
import type { Program } from "./program.ts";
import { Simulation } from "./simulation.ts";

export function tree(entries: { readonly [path: string]: TreeEntry | string | Program }): FileTree {
  const files = new Map<string, TreeEntry>();
  for (const [path, entry] of Object.entries(entries)) {
    if (typeof entry === "string") files.set(path, { type: "file", content: entry });
    else if (typeof entry === "function") files.set(path, { type: "program", program: entry });
    else files.set(path, entry);
  }
  return files;
}

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A machine whose disk holds `files`. */
export function machine(files: FileTree = tree({ "/tmp": { type: "directory", permissions: 0o1777 } })) {
  const simulation = new Simulation({ startMs: 1_767_225_600_000, seed: 1 });
  const kernel = new Kernel(simulation);
  const network: NetworkStack = new LoopbackNetwork(simulation);
  const mounts = kernel.createMountNamespace(kernel.createDisk(files));
  const pidNamespace = kernel.createPidNamespace();
  // Something must be PID 1, or the first program would be protected like an init.
  kernel.start({
    run: function* (self) {
      for (;;) yield* self.sleep(1e9);
    },
    argv: ["init"],
    hostname: "test",
    pidNamespace,
    mounts,
    network,
  });
  const start = (run: string | Program, options: Partial<StartOptions> = {}): ProcessHandle =>
    kernel.start({
      run,
      argv: [typeof run === "string" ? run : "test"],
      hostname: "test",
      pidNamespace,
      mounts,
      network,
      background: false,
      ...options,
    });
  const run = (program: string | Program, options: Partial<StartOptions> = {}): Ran => {
    const [stdout, stderr] = [collector(), collector()];
    const handle = start(program, { stdout: stdout.sink, stderr: stderr.sink, ...options });
    simulation.runUntil(() => handle.exit !== undefined, { limitMs: 3_600_000 });
    return { code: handle.exit?.code ?? -1, stdout: stdout.text(), stderr: stderr.text() };
  };
  return { simulation, kernel, network, mounts, pidNamespace, start, run, files: kernel.files(mounts) };
}

export function collector() {
  let text = "";
  return {
    sink: (bytes: Bytes): void => {
      text += decodeUtf8(bytes);
    },
    text: () => text,
  };
}
