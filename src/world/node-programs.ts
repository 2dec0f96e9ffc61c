// The programs by which one looks at a node.

import type { Program } from "#sim/program.ts";
import { type AccountPrograms, accountPrograms } from "./accounts.ts";
import { containerd, ctr } from "./containerd-program.ts";
import { crictl } from "./crictl.ts";
import type { RuntimeMachine } from "./crictl-call.ts";
import { dmesg, type JournalMachine, journalctl } from "./journalctl.ts";
import { kubelet } from "./kubelet-program.ts";
import type { MachinePower } from "./machine-power.ts";
import type { PackageMachine } from "./package-list.ts";
import { type PackagePrograms, packagePrograms } from "./packages.ts";
import { shutdownPrograms } from "./shutdown.ts";
import { sudo } from "./sudo.ts";
import { type SwapMachine, type SwapPrograms, swapPrograms } from "./swap.ts";
import { service, systemctl } from "./systemctl.ts";

/** What they need of a machine. */
export type NodeMachine = RuntimeMachine & JournalMachine & SwapMachine & PackageMachine;

export interface NodePrograms extends AccountPrograms, PackagePrograms, SwapPrograms {
  readonly containerd: Program;
  readonly crictl: Program;
  readonly ctr: Program;
  readonly dmesg: Program;
  readonly journalctl: Program;
  readonly kubelet: Program;
  readonly poweroff: Program;
  readonly reboot: Program;
  readonly shutdown: Program;
  readonly service: Program;
  readonly sudo: Program;
  readonly systemctl: Program;
}

/** `find` and `powerOf` give the machine of a host name. */
export function nodePrograms(
  find: (hostname: string) => NodeMachine | undefined,
  powerOf: (hostname: string) => MachinePower | undefined,
): NodePrograms {
  const units = systemctl(powerOf);
  return {
    ...accountPrograms,
    ...swapPrograms(find),
    ...packagePrograms(find, powerOf),
    containerd: containerd(find),
    crictl: crictl(find),
    ctr,
    dmesg: dmesg(find),
    journalctl: journalctl(find),
    kubelet,
    service: service(units),
    sudo,
    systemctl: units,
    ...shutdownPrograms(powerOf),
  };
}
