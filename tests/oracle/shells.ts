// The two shells a line is typed into: one on this machine, where `kubectl` is the real one and leads to the door, and the
// workstation's of a simulated world, where it is ours.

import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { kubeconfigFor } from "#server/kubeconfig.ts";
import type { World } from "#world/world.ts";
import { Sleepers } from "./sleepers.ts";

export interface Result {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number;
}

/** Virtual time that a command may take. */
export const lineLimitMs = 300_000;

const workstationHome = "/home/learner";
/** Where kubectl's own child programs go. */
const path = "/usr/local/bin:/usr/bin:/bin";

/** A line on its way. */
export interface RunningLine {
  readonly ended: Promise<Result>;
  /** Whether all its programs have slept since they were last looked at. */
  asleep(): boolean;
  /** Ends all of them. */
  kill(): void;
}

/** A home directory on this machine, with a shell that runs the real kubectl. */
export class RealShell {
  readonly #folder: string;
  readonly #home: string;

  constructor(kubectl: string, port: number, files: { readonly [name: string]: string }) {
    this.#folder = mkdtempSync(join(tmpdir(), "pilothouse-oracle-"));
    this.#home = join(this.#folder, "home");
    mkdirSync(join(this.#folder, "bin"), { recursive: true });
    symlinkSync(kubectl, join(this.#folder, "bin", "kubectl"));
    // The simulated cluster's names, which the door does not use.
    this.#write(".kube/config", kubeconfigFor(port, undefined).replaceAll("pilothouse", "kubernetes"));
    for (const [name, text] of Object.entries(files)) this.#write(name, text);
  }

  run(line: string): RunningLine {
    const child = spawn("bash", ["-c", line], {
      cwd: this.#home,
      stdio: ["ignore", "pipe", "pipe"],
      // A group of its own, by which its programs are found.
      detached: true,
      env: { HOME: this.#home, PATH: `${join(this.#folder, "bin")}:${path}`, LANG: "C.UTF-8", EDITOR: "nano", TZ: "UTC" },
    });
    const { pid } = child;
    if (pid === undefined) throw new Error("bash cannot be started");
    const sleepers = new Sleepers(pid);
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (data: Buffer) => {
      stdout += data.toString();
    });
    child.stderr.on("data", (data: Buffer) => {
      stderr += data.toString();
    });
    const ended = new Promise<Result>((resolve) => {
      child.on("close", (code) => resolve({ stdout: this.#homely(stdout), stderr: this.#homely(stderr), code: code ?? 124 }));
    });
    return { ended, asleep: () => sleepers.asleep(), kill: () => killGroup(pid) };
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #write(name: string, text: string): void {
    const file = join(this.#home, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text, { mode: name === ".kube/config" ? 0o600 : 0o644 });
  }

  #homely(text: string): string {
    return text.replaceAll(this.#home, workstationHome);
  }
}

function killGroup(group: number): void {
  try {
    process.kill(-group, "SIGKILL");
  } catch {
    // It has just ended by itself.
  }
}

/** Runs a line in the workstation's shell, to its end or the limit. */
export function runSimulated(world: World, line: string): Result {
  let ended = false;
  const folder = "/tmp/.oracle";
  world.workstation.runScript(
    `mkdir -p ${folder}\n{ ${line}\n} >${folder}/out 2>${folder}/err </dev/null\necho $? >${folder}/code`,
    () => {
      ended = true;
    },
  );
  const read = (name: string): string => world.workstation.readFile(`${folder}/${name}`) ?? "";
  if (!world.simulation.runUntil(() => ended, { limitMs: lineLimitMs })) {
    return { stdout: read("out"), stderr: `${read("err")}(did not end)\n`, code: 124 };
  }
  return { stdout: read("out"), stderr: read("err"), code: Number(read("code")) };
}
