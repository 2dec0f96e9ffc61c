// Who asks the kubelet, and whether they may: client certificates of the cluster's authority and bearer tokens, both
// decided by the API server (kubeadm's KubeletConfiguration: no anonymous requests, authorization mode Webhook).

import { subjectAccessReviews } from "#cluster/api/kinds.ts";
import type { Client, UserInfo } from "#cluster/client/client.ts";
import { asked, bearerToken, type Subject, subjectOf, userOfToken } from "#cluster/client/delegated-access.ts";
import type { HttpHeaders, HttpPeer } from "#sim/http.ts";
import type { Certificate } from "#sim/net.ts";
import type { Simulation } from "#sim/simulation.ts";

export interface AccessOptions {
  readonly simulation: Simulation;
  readonly client: Client;
  readonly nodeName: string;
  /** `authentication.x509.clientCAFile`; without it no certificate counts. */
  readonly clientAuthority: Certificate | undefined;
}

/** `failed`: the API server could not be asked about this subresource. */
export type Decision = { readonly allowed: boolean } | { readonly failed: string };

/** `authentication.webhook.cacheTTL`, `authorization.webhook.cacheAuthorizedTTL` and `…UnauthorizedTTL`. */
const tokenMs = 120_000;
const allowedMs = 300_000;
const deniedMs = 30_000;

/** A user in questions, and what was asked. */
interface AskedSubject {
  readonly spec: Subject;
  /** The same as one text. */
  readonly key: string;
  /** Verb and subresource → question: a long text that is looked up again is best the same one. */
  readonly questions: Map<string, string>;
}

const verbs: { readonly [method: string]: string } = {
  GET: "get",
  POST: "create",
  PUT: "update",
  PATCH: "patch",
  DELETE: "delete",
};

/** What the kubelet calls a request's verb; "" for methods that have none. */
export function verbOf(method: string): string {
  return verbs[method] ?? "";
}

const ownSubresources = [
  ["/pods", "pods"],
  ["/healthz", "healthz"],
  ["/configz", "configz"],
  ["/runningpods", "pods"],
] as const;
const sharedSubresources = [
  ["/stats", "stats"],
  ["/metrics", "metrics"],
  ["/logs", "log"],
  ["/checkpoint", "checkpoint"],
  ["/statusz", "statusz"],
  ["/flagz", "configz"],
] as const;

function isBelow(path: string, prefix: string): boolean {
  return path === prefix || path.startsWith(`${prefix}/`);
}

/** Subresources of nodes of which one must be allowed, the narrowest first (pkg/kubelet/server/auth.go). */
export function subresourcesOf(path: string): readonly string[] {
  const own = ownSubresources.find(([prefix]) => isBelow(path, prefix))?.[1];
  const shared = sharedSubresources.find(([prefix]) => isBelow(path, prefix))?.[1] ?? "proxy";
  return own === undefined ? [shared] : [own, shared];
}

export class Access {
  readonly #options: AccessOptions;
  /** By the whole header, which tells as much as the token in it. */
  readonly #users = new ExpiringCache<UserInfo>();
  readonly #decisions = new ExpiringCache<boolean>();
  /** Of users who come again and again, as their tokens are remembered. */
  readonly #subjects = new WeakMap<UserInfo, AskedSubject>();

  constructor(options: AccessOptions) {
    this.#options = options;
  }

  /** Undefined: no credentials, or none that anyone vouches for. */
  authenticate(headers: HttpHeaders, { certificate }: HttpPeer): UserInfo | undefined {
    if (certificate !== undefined && this.#isTrusted(certificate)) {
      return { name: certificate.commonName, groups: [...certificate.organizations, "system:authenticated"] };
    }
    const authorization = headers["authorization"];
    return authorization === undefined ? undefined : this.#userOf(authorization);
  }

  /** Whether one of the node's subresources may be used so. */
  authorize(user: UserInfo, verb: string, subresources: readonly string[]): Decision {
    for (const subresource of subresources) {
      const allowed = this.#isAllowed(user, verb, subresource);
      if (allowed === undefined) return { failed: subresource };
      if (allowed) return { allowed };
    }
    return { allowed: false };
  }

  #isTrusted(certificate: Certificate): boolean {
    const { clientAuthority, simulation } = this.#options;
    const { notBeforeMs, notAfterMs } = certificate;
    const isValid = simulation.nowMs >= notBeforeMs && simulation.nowMs <= notAfterMs;
    return isValid && clientAuthority !== undefined && certificate.isSignedBy?.(clientAuthority) === true;
  }

  #userOf(authorization: string): UserInfo | undefined {
    const { simulation, client } = this.#options;
    const known = this.#users.get(authorization, simulation.nowMs);
    if (known !== undefined) return known;
    const token = bearerToken(authorization);
    const found = token === undefined ? undefined : userOfToken(client, token);
    if (found === undefined) return undefined;
    this.#users.set(authorization, found, simulation.nowMs, tokenMs);
    return found;
  }

  /** Undefined: the API server does not answer. */
  #isAllowed(user: UserInfo, verb: string, subresource: string): boolean | undefined {
    const { simulation, client, nodeName } = this.#options;
    const subject = this.#subjectOf(user);
    const act = `${verb} ${subresource}`;
    const question = subject.questions.get(act) ?? `${act} ${subject.key}`;
    subject.questions.set(act, question);
    const known = this.#decisions.get(question, simulation.nowMs);
    if (known !== undefined) return known;
    const resourceAttributes = { verb, version: "v1", resource: "nodes", subresource, name: nodeName };
    const spec = { ...subject.spec, resourceAttributes };
    const allowed = asked(() => client.create(subjectAccessReviews, { spec }))?.status?.allowed;
    if (allowed !== undefined) this.#decisions.set(question, allowed, simulation.nowMs, allowed ? allowedMs : deniedMs);
    return allowed;
  }

  #subjectOf(user: UserInfo): AskedSubject {
    const known = this.#subjects.get(user);
    if (known !== undefined) return known;
    const spec = subjectOf(user);
    const subject = { spec, key: JSON.stringify(spec), questions: new Map<string, string>() };
    this.#subjects.set(user, subject);
    return subject;
  }
}

const cacheLimit = 1000;

/** Answers that count for a while; at most a thousand, the oldest go first. */
class ExpiringCache<T> {
  readonly #entries = new Map<string, { readonly value: T; readonly untilMs: number }>();

  get(key: string, nowMs: number): T | undefined {
    const entry = this.#entries.get(key);
    return entry !== undefined && nowMs < entry.untilMs ? entry.value : undefined;
  }

  set(key: string, value: T, nowMs: number, lifetimeMs: number): void {
    this.#entries.delete(key);
    if (this.#entries.size >= cacheLimit) this.#entries.delete(this.#entries.keys().next().value as string);
    this.#entries.set(key, { value, untilMs: nowMs + lifetimeMs });
  }
}
