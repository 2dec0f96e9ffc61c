// The Lease by which an API server says that it is there (APIServerIdentity): `apiserver-<hash of its host's name>` in
// kube-system, renewed every ten seconds. Whoever starts later clears away those of servers that are no more.

import { sha256 } from "@noble/hashes/sha2.js";
import { ApiError } from "#cluster/api/errors.ts";
import type { Lease, LeaseSpec } from "#cluster/api/generated/types.ts";
import { leases } from "#cluster/api/kinds.ts";
import type { KubeObject, Stored } from "#cluster/api/objects.ts";
import { formatMicroTime, parseTime } from "#cluster/api/time.ts";
import type { Client } from "#cluster/client/client.ts";
import { encodeUtf8 } from "#sim/bytes.ts";
import type { Simulation } from "#sim/simulation.ts";

const namespace = "kube-system";
const durationSeconds = 3600;
const identity = "kube-apiserver";
const identityLabel = "apiserver.kubernetes.io/identity";
const alphabet = "abcdefghijklmnopqrstuvwxyz234567";

/** `hostname`: of the server's host. */
export function serverId(hostname: string): string {
  return `apiserver-${base32(sha256(new Uint8Array([...prefixed(hostname), ...prefixed(identity)])).subarray(0, 16))}`;
}

/** Whether a Lease is that of an API server, held by one. */
export function isIdentityLease({ metadata, spec }: KubeObject & Pick<Lease, "spec">): boolean {
  return metadata.labels?.[identityLabel] === identity && spec?.holderIdentity !== undefined;
}

export class IdentityLease {
  readonly #client: Client;
  readonly #simulation: Simulation;
  readonly #hostname: string;
  /** The server's id, by which its peers know it too. */
  readonly name: string;
  #holder = "";
  #held: Stored<Lease> | undefined;

  constructor(client: Client, simulation: Simulation, hostname: string) {
    this.#client = client;
    this.#simulation = simulation;
    this.#hostname = hostname;
    this.name = serverId(hostname);
  }

  /** Every start of the server is another holder. */
  begin(): void {
    this.#holder = `${this.name}_${this.#simulation.random.uuid()}`;
    this.#held = undefined;
  }

  renew(): void {
    const renewTime = formatMicroTime(this.#simulation.nowMs);
    const held = this.#held;
    if (held !== undefined) {
      try {
        this.#held = this.#client.update(leases, { ...held, spec: { ...held.spec, renewTime } });
        return;
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
      }
    }
    // The first time, and when someone else wrote it or took it away. A refusal is tried again in the next round.
    try {
      this.#held = this.#take({ holderIdentity: this.#holder, leaseDurationSeconds: durationSeconds, renewTime });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.#held = undefined;
    }
  }

  /** Deletes those that have run out, and those that do not say how long they last (apiserverleasegc): done once an hour. */
  collect(): void {
    const { nowMs } = this.#simulation;
    const found = this.#client.list(leases, { namespace, labelSelector: `${identityLabel}=${identity}` }).items;
    for (const { metadata, spec } of found) {
      if (spec?.renewTime !== undefined && spec.leaseDurationSeconds !== undefined) {
        if (parseTime(spec.renewTime) + spec.leaseDurationSeconds * 1000 >= nowMs) continue;
      }
      try {
        this.#client.delete(leases, { namespace, name: metadata.name });
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
      }
    }
  }

  #take(spec: LeaseSpec): Stored<Lease> {
    const labels = { [identityLabel]: identity, "kubernetes.io/hostname": this.#hostname };
    const metadata = { namespace, name: this.name, labels };
    try {
      return this.#client.create(leases, { metadata, spec });
    } catch (error) {
      if (!(error instanceof ApiError) || error.reason !== "AlreadyExists") throw error;
      return this.#client.update(leases, { ...this.#client.get(leases, { namespace, name: this.name }), spec });
    }
  }
}

/** With its length in two bytes before it, so that host and identity cannot run into one another. */
function prefixed(text: string): Uint8Array {
  const bytes = encodeUtf8(text);
  return new Uint8Array([bytes.length >> 8, bytes.length & 255, ...bytes]);
}

function base32(bytes: Uint8Array): string {
  let bits = "";
  for (const byte of bytes) bits += byte.toString(2).padStart(8, "0");
  return (bits.match(/.{1,5}/g) ?? []).map((five) => alphabet[Number.parseInt(five.padEnd(5, "0"), 2)]).join("");
}
