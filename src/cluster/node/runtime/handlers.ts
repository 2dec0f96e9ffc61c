// Runtime handlers: the names that RuntimeClasses use, and what containerd runs for each (its CRI plugin's `runtimes`, runtime v2).

import type { KernelRelease } from "#sim/kernel-release.ts";

/** The file that says which there are. */
export const containerdConfigurationPath = "/etc/containerd/config.toml";

/** A table of containerd's `runtimes`. */
export interface RuntimeHandler {
  readonly name: string;
  /** `io.containerd.runc.v2`, which names a shim, or the path of one. */
  readonly type: string;
}

/** What containerd has from its configuration file. */
export interface RuntimeSettings {
  /** The handler of pods that ask for none. */
  readonly defaultName: string;
  readonly handlers: readonly RuntimeHandler[];
  /** Its CRI plugin is among `disabled_plugins`. */
  readonly isCriDisabled?: boolean;
}

/** Runtimes that a machine may have, by the name of their program. */
export const runtimeNames = ["runc", "runsc", "kata"] as const;
export type RuntimeName = (typeof runtimeNames)[number];

interface Runtime {
  readonly type: string;
  /** What containers see; undefined: the machine's own. */
  readonly kernel: KernelRelease | undefined;
  readonly features: { readonly recursiveReadOnlyMounts: boolean; readonly userNamespaces: boolean };
  /** What a sandbox takes beyond one of runc: a kernel of its own must start. */
  readonly startMs: number;
}

const none = { recursiveReadOnlyMounts: false, userNamespaces: false };

/** gVisor's kernel calls itself so in every release; Kata's guest has a kernel of its own. */
const runtimes: { readonly [name in RuntimeName]: Runtime } = {
  runc: {
    type: "io.containerd.runc.v2",
    kernel: undefined,
    features: { recursiveReadOnlyMounts: true, userNamespaces: true },
    startMs: 0,
  },
  runsc: {
    type: "io.containerd.runsc.v1",
    kernel: { release: "4.19.0-gvisor", build: "#1 SMP Sun Jan 10 15:06:54 PST 2016", compiler: "" },
    features: none,
    startMs: 200,
  },
  kata: {
    type: "io.containerd.kata.v2",
    kernel: { release: "6.12.47", build: "#1 SMP Mon Sep 22 09:14:31 UTC 2025", compiler: "(kata@build) (gcc 13.3.0) " },
    features: none,
    startMs: 900,
  },
};

export const plainRuntimes: RuntimeSettings = { defaultName: "runc", handlers: [{ name: "runc", type: runtimes.runc.type }] };

const runtimesByType: ReadonlyMap<string, Runtime> = new Map(Object.values(runtimes).map((each) => [each.type, each]));

/** With these beside runc: handler → runtime. */
export function withRuntimes(added: { readonly [handler: string]: RuntimeName }): RuntimeSettings {
  const handlers = Object.entries(added).map(([name, runtime]) => ({ name, type: runtimes[runtime].type }));
  return { ...plainRuntimes, handlers: [...plainRuntimes.handlers, ...handlers] };
}

/** The program that containerd starts for a runtime type: `containerd-shim-runsc-v1`. Undefined: the type names none. */
export function shimOf(type: string): string | undefined {
  if (type.startsWith("/")) return type;
  const [name, version, ...more] = type.split(".").reverse();
  return name === undefined || version === undefined || more.length === 0 ? undefined : `containerd-shim-${version}-${name}`;
}

/** What a machine has for a runtime. */
export function shimNamed(name: RuntimeName): string {
  return shimOf(runtimes[name].type) as string;
}

/** Undefined: of nobody that is simulated. */
export function runtimeOf(type: string): Runtime | undefined {
  const known = runtimesByType.get(type);
  if (known !== undefined) return known;
  const shim = shimOf(type)?.split("/").at(-1);
  return Object.values(runtimes).find((each) => shimOf(each.type) === shim);
}

/** Why a shim cannot be started, as containerd words it; undefined: it can. */
export function shimFault(type: string, hasProgram: (shim: string) => boolean): string | undefined {
  const shim = shimOf(type);
  const cause = "failed to create containerd task: failed to start shim:";
  if (shim === undefined)
    return `${cause} failed to resolve runtime path: invalid runtime name ${type}, correct runtime name should be either format like \`io.containerd.runc.v2\` or a full path to the binary: unknown`;
  if (!hasProgram(shim))
    return shim.startsWith("/")
      ? `${cause} failed to resolve runtime path: stat ${shim}: no such file or directory: unknown`
      : `${cause} failed to resolve runtime path: runtime ${JSON.stringify(type)} binary not installed ${JSON.stringify(shim)}: file does not exist: unknown`;
  return runtimeOf(type) === undefined ? `${cause} fork/exec ${shim}: exec format error: unknown` : undefined;
}
