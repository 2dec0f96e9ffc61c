// Flags of kube-apiserver that have to do with its peers, and the feature gate UnknownVersionInteroperabilityProxy, which is on since v1.36.

import { type GivenFlags, WrongCommandLine } from "../../component-flags.ts";
import { gatesOf } from "../../feature-gates.ts";

const gate = "UnknownVersionInteroperabilityProxy";
const gateFlags = ["peer-ca-file", "peer-advertise-ip", "peer-advertise-port"] as const;

export interface PeerSettings {
  /** The gate: whether other servers are told where this one is. */
  readonly isKnown: boolean;
  /** `address:port` by `--peer-advertise-ip` and `--peer-advertise-port`, if both are given. */
  readonly address: string | undefined;
  /** `--peer-ca-file`; "" passes nothing on. */
  readonly authorityFile: string;
  /** Gates that were given and do nothing here, as `Name=true`. */
  readonly idleGates: readonly string[];
}

/** Throws WrongCommandLine. */
export function peerSettings(given: GivenFlags): PeerSettings {
  const last = (name: string): string => given.get(name)?.at(-1) ?? "";
  const gates = gatesOf(given.get("feature-gates") ?? []);
  const isKnown = gates.get(gate) ?? true;
  const [authorityFile = "", ip = "", port = ""] = gateFlags.map(last);
  const early = isKnown ? [] : gateFlags.filter((name) => last(name) !== "");
  if (early.length > 0)
    throw new WrongCommandLine(listed(early.map((name) => `--${name} requires ${gate} feature to be turned on`)), true);
  if (authorityFile !== "")
    for (const [flag, name] of [
      ["proxy-client-cert-file", "proxy-cert-file"],
      ["proxy-client-key-file", "proxy-key-file"],
    ] as const)
      if (last(flag) === "") throw new WrongCommandLine(`error building peer proxy handler, ${name} not specified`, true);
  return {
    isKnown,
    address: ip === "" || port === "" ? undefined : `${ip}:${port}`,
    authorityFile,
    idleGates: [...gates].filter(([name]) => name !== gate).map(([name, value]) => `${name}=${value}`),
  };
}

/** Several faults as Go's aggregate prints them. */
function listed(faults: readonly string[]): string {
  return faults.length === 1 ? (faults[0] as string) : `[${faults.join(", ")}]`;
}
