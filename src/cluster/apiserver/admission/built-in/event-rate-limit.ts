// EventRateLimit: buckets of tokens from which every write of an Event takes one (plugin/pkg/admission/eventratelimit).

import { otherFailure } from "#cluster/api/errors.ts";
import type { CoreV1Event } from "#cluster/api/generated/types.ts";
import type { KubeObject } from "#cluster/api/objects.ts";
import type { Simulation } from "#sim/simulation.ts";
import type { AdmissionAttributes, AdmissionPlugin } from "../chain.ts";

/** As in `eventratelimit.admission.k8s.io/v1alpha1`, kind Configuration. */
export interface EventLimit {
  readonly type: "Server" | "Namespace" | "User" | "SourceAndObject";
  /** Tokens a second. */
  readonly qps: number;
  /** Tokens at most. */
  readonly burst: number;
  /** Buckets at most, those used longest ago go; 4096 unless stated. */
  readonly cacheSize?: number;
}

interface Bucket {
  tokens: number;
  filledMs: number;
}

const defaultCacheSize = 4096;

/** Throws Error for limits that the API server would not start with. */
export function eventRateLimit(limits: readonly EventLimit[], simulation: Simulation): AdmissionPlugin {
  requireValid(limits);
  const enforcers = limits.map((limit) => new Enforcer(limit, simulation));
  return {
    name: "EventRateLimit",
    operations: ["CREATE", "UPDATE"],
    kind: "Event",
    // Those of events.k8s.io are let pass.
    handles: (definition) => definition.group === "",
    validate(attributes) {
      if (attributes.dryRun) return;
      // Each takes its token, whatever the others say; the last refusal is told.
      const refused = enforcers.map((enforcer) => enforcer.refusal(attributes)).filter((one) => one !== undefined);
      const last = refused.at(-1);
      if (last !== undefined) throw otherFailure(429, "TooManyRequests", `Too many requests: ${last}`);
    },
  };
}

function requireValid(limits: readonly EventLimit[]): void {
  if (limits.length === 0) throw new Error("limits: Invalid value: []: must not be empty");
  for (const [index, { qps, burst, cacheSize = 0 }] of limits.entries()) {
    const path = `limits[${index}]`;
    if (burst <= 0) throw new Error(`${path}.burst: Invalid value: ${burst}: must be positive`);
    if (qps <= 0) throw new Error(`${path}.qps: Invalid value: ${qps}: must be positive`);
    if (cacheSize < 0) throw new Error(`${path}.cacheSize: Invalid value: ${cacheSize}: must not be negative`);
  }
}

class Enforcer {
  readonly #limit: EventLimit;
  readonly #simulation: Simulation;
  /** By key, used longest ago first. */
  readonly #buckets = new Map<string, Bucket>();

  constructor(limit: EventLimit, simulation: Simulation) {
    this.#limit = limit;
    this.#simulation = simulation;
  }

  /** Takes a token; the words of the refusal when there is none. */
  refusal(attributes: AdmissionAttributes): string | undefined {
    const { type, qps, burst } = this.#limit;
    const key = keyOf(type, attributes);
    const { nowMs } = this.#simulation;
    const bucket = this.#bucket(key);
    bucket.tokens = Math.min(burst, bucket.tokens + ((nowMs - bucket.filledMs) * qps) / 1000);
    bucket.filledMs = nowMs;
    if (bucket.tokens < 1) return `limit reached on type ${type} for key ${key}`;
    bucket.tokens -= 1;
    return undefined;
  }

  #bucket(key: string): Bucket {
    const { burst, cacheSize = 0 } = this.#limit;
    const bucket = this.#buckets.get(key) ?? { tokens: burst, filledMs: this.#simulation.nowMs };
    this.#buckets.delete(key);
    this.#buckets.set(key, bucket);
    const [oldest] = this.#buckets.keys();
    if (oldest !== undefined && this.#buckets.size > (cacheSize || defaultCacheSize)) this.#buckets.delete(oldest);
    return bucket;
  }
}

function keyOf(type: EventLimit["type"], { namespace, user, object }: AdmissionAttributes): string {
  switch (type) {
    case "Server":
      return "";
    case "Namespace":
      return namespace;
    case "User":
      return user.name;
    case "SourceAndObject": {
      const { source = {}, involvedObject = {} } = object as KubeObject & Partial<CoreV1Event>;
      const { kind, namespace: place, name, uid, apiVersion } = involvedObject;
      return [source.component, source.host, kind, place, name, uid, apiVersion].map((part) => part ?? "").join("");
    }
  }
}
