// What crictl's subcommands share: their calls, and how they find what an ID names (containerd resolves unique prefixes).

import type { Machine } from "#cluster/node/host/machine.ts";
import type { Containerd } from "#cluster/node/runtime/containerd.ts";
import type { RuntimeContainer, Sandbox, StoredImage } from "#cluster/node/runtime/cri.ts";
import type { Process, Sys } from "#sim/program.ts";
import { shortId } from "./crictl-output.ts";

/** What crictl needs of a machine. */
export interface RuntimeMachine {
  readonly machine: Pick<Machine, "files">;
  readonly runtime: Containerd;
}

type Runtime = RuntimeMachine["runtime"];

/** Options by name, operands in order. */
export interface Call {
  readonly options: ReadonlyMap<string, string>;
  readonly operands: readonly string[];
}

export interface Subcommand {
  /** `all,a` is a switch, `name=` takes a value, `tail=#` a whole number, `label=+` several values. */
  readonly options: string;
  /** How many operands it takes at most; with more of them the real one shows its help. */
  readonly operands: number;
  run(self: Process, machine: RuntimeMachine, call: Call): Sys<number>;
}

/** A call that cannot be carried out; the message is logged. */
export class Refusal extends Error {}

export function has({ options }: Call, name: string): boolean {
  return (options.get(name) ?? "false") !== "false";
}

/** How many of the newest are to be shown. */
export function countOf(call: Call): number {
  if (has(call, "latest")) return 1;
  return Number(call.options.get("last") ?? 0) || Number.POSITIVE_INFINITY;
}

export function idOf(call: Call, id: string): string {
  return has(call, "no-trunc") ? id : shortId(id);
}

/** Newest first. */
export function sandboxesOf(runtime: Runtime): readonly Sandbox[] {
  return runtime
    .podUids()
    .flatMap((uid) => runtime.sandboxesOf(uid))
    .sort((a, b) => b.createdMs - a.createdMs);
}

/** Newest first. */
export function containersOf(runtime: Runtime): readonly RuntimeContainer[] {
  return runtime
    .podUids()
    .flatMap((uid) => runtime.containersOf(uid))
    .sort((a, b) => b.createdMs - a.createdMs);
}

function only<T>(found: readonly T[], kind: string, id: string): T {
  const [one] = found;
  if (one !== undefined && found.length === 1) return one;
  const [code, reason] = one === undefined ? ["NotFound", ": not found"] : ["Unknown", ""];
  throw new Refusal(`rpc error: code = ${code} desc = an error occurred when try to find ${kind} "${id}"${reason}`);
}

/** Throws Refusal. */
export function containerOf(runtime: Runtime, id: string): RuntimeContainer {
  return only(
    containersOf(runtime).filter((each) => each.id.startsWith(id)),
    "container",
    id,
  );
}

/** Throws Refusal. */
export function sandboxOf(runtime: Runtime, id: string): Sandbox {
  return only(
    sandboxesOf(runtime).filter((each) => each.id.startsWith(id)),
    "sandbox",
    id,
  );
}

/** `repository:tag` names of all images of one content, sorted. */
export function tagsOf(runtime: Runtime, stored: StoredImage): readonly string[] {
  const same = runtime.images().filter(({ image }) => image.digest === stored.image.digest);
  return same.flatMap(({ reference }) => runtime.imageStore.namesOf(reference).filter((name) => !name.includes("@"))).sort();
}

/** By a name, or by the first digits of its id. */
export function findImage(runtime: Runtime, name: string): StoredImage | undefined {
  const digits = name.replace(/^sha256:/u, "");
  if (/^[0-9a-f]+$/u.test(digits)) {
    const byId = runtime.images().find((stored) => stored.id.slice("sha256:".length).startsWith(digits));
    if (byId !== undefined) return byId;
  }
  return runtime.imageStore.find(name);
}
