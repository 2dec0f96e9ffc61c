// Tokens of service accounts: bound ones, good for audiences and a time and dead with what they are bound to, and those
// of Secrets, which have no end (pkg/serviceaccount).

import type { KubeObject } from "#cluster/api/objects.ts";
import { quoted } from "#cluster/api/policy-rules.ts";
import {
  type BoundObject,
  draftToken,
  legacyClaimPrefix,
  legacyIssuer,
  serviceAccountUserName,
  signedToken,
  tokenPayload,
} from "#cluster/api/signed-tokens.ts";
import { formatTime, tryParseTime } from "#cluster/api/time.ts";
import type { UserInfo } from "#cluster/client/client.ts";
import type { Store } from "#cluster/storage/store.ts";
import type { Simulation } from "#sim/simulation.ts";
import { carryManagers } from "./field-management.ts";

export const defaultAudience = "https://kubernetes.default.svc.cluster.local";
const lastUsedLabel = "kubernetes.io/legacy-token-last-used";
const minuteMs = 60_000;

export interface TokenClaims {
  readonly namespace: string;
  readonly serviceAccount: BoundObject;
  /** At most one of pod, secret and a node alone; a pod's token also names its node. */
  readonly pod?: BoundObject | undefined;
  readonly secret?: BoundObject | undefined;
  readonly node?: BoundObject | undefined;
  readonly audiences: readonly string[];
  readonly lifetimeSeconds: number;
  /** The lifetime that was asked for, where the server gave a longer one. */
  readonly warnAfterSeconds?: number | undefined;
}

interface Payload {
  readonly aud: readonly string[];
  readonly exp: number;
  readonly iss: typeof defaultAudience;
  readonly jti: string;
  readonly nbf: number;
  readonly sub: string;
  readonly "kubernetes.io": {
    readonly namespace: string;
    readonly node?: BoundObject;
    readonly pod?: BoundObject;
    readonly secret?: BoundObject;
    readonly serviceaccount: BoundObject;
  };
}

/** Of a token in a Secret. */
interface LegacyPayload {
  readonly iss: typeof legacyIssuer;
  readonly [claim: string]: unknown;
}

/** A token that was recognised and is no good, with the reason that a TokenReview tells. */
export class InvalidToken extends Error {}

export interface VerifiedToken {
  readonly user: UserInfo;
  /** Those of the audiences asked for that the token is good for. */
  readonly audiences: readonly string[];
}

export class ServiceAccountTokens {
  readonly #simulation: Simulation;
  readonly #store: Store;

  /** `--service-account-max-token-expiration`; undefined: none. */
  readonly maxLifetimeSeconds: number | undefined;

  constructor(simulation: Simulation, store: Store, maxLifetimeSeconds?: number) {
    this.#simulation = simulation;
    this.#store = store;
    this.maxLifetimeSeconds = maxLifetimeSeconds;
  }

  /** `isDraft`: for those who have it signed when somebody looks at it. */
  issue(claims: TokenClaims, isDraft = false): string {
    const issuedSeconds = Math.floor(this.#simulation.nowMs / 1000);
    const { namespace, serviceAccount, pod, secret, node, warnAfterSeconds } = claims;
    const make = isDraft ? draftToken : signedToken;
    return make({
      aud: claims.audiences,
      exp: issuedSeconds + claims.lifetimeSeconds,
      iat: issuedSeconds,
      iss: defaultAudience,
      jti: this.#simulation.random.uuid(),
      "kubernetes.io": {
        namespace,
        ...(node === undefined ? {} : { node }),
        ...(pod === undefined ? {} : { pod }),
        ...(secret === undefined ? {} : { secret }),
        serviceaccount: serviceAccount,
        ...(warnAfterSeconds === undefined ? {} : { warnafter: issuedSeconds + warnAfterSeconds }),
      },
      nbf: issuedSeconds,
      sub: serviceAccountUserName(namespace, serviceAccount.name),
    });
  }

  /**
   * The user of a token that is good now for one of `audiences`; undefined for what is no token of a service account.
   * Throws InvalidToken.
   */
  verify(token: string, audiences: readonly string[] = [defaultAudience]): VerifiedToken | undefined {
    const payload = tokenPayload(token) as Payload | LegacyPayload | undefined;
    if (payload?.iss === legacyIssuer) return { user: this.#verifyLegacy(token, payload), audiences: [defaultAudience] };
    return payload?.iss === defaultAudience ? this.#verifyBound(payload, audiences) : undefined;
  }

  #verifyBound(payload: Payload, audiences: readonly string[]): VerifiedToken {
    const good = audiences.filter((audience) => payload.aud.includes(audience));
    if (good.length === 0) {
      throw new InvalidToken(`token audiences ${quoted(payload.aud)} is invalid for the target audiences ${quoted(audiences)}`);
    }
    const { nowMs } = this.#simulation;
    // A minute's grace on both ends, for clocks that differ.
    if (nowMs - minuteMs > payload.exp * 1000) throw new InvalidToken("service account token has expired");
    if (nowMs + minuteMs < payload.nbf * 1000) throw new InvalidToken("service account token is not valid yet");
    const { namespace, serviceaccount, pod, secret, node } = payload["kubernetes.io"];
    this.#requireAccount(namespace, serviceaccount);
    if (secret !== undefined) this.#requireBound("secrets", `${namespace}/${secret.name}`, secret, "secret");
    if (pod !== undefined) this.#requireBound("pods", `${namespace}/${pod.name}`, pod, "pod");
    else if (node !== undefined) this.#requireBound("nodes", node.name, node, "node");
    const user: UserInfo = { ...accountUser(namespace, serviceaccount), extra: extraOf(payload) };
    return { user, audiences: good };
  }

  #verifyLegacy(token: string, payload: LegacyPayload): UserInfo {
    const claim = (name: string): string => String(payload[`${legacyClaimPrefix}${name}`] ?? "");
    const namespace = claim("namespace");
    const key = `${namespace}/${claim("secret.name")}`;
    const secret = this.#store.table("secrets").get(key);
    if (secret === undefined || this.#isGone(secret)) throw new InvalidToken("service account token has been invalidated");
    if ((secret["data"] as { readonly token?: string } | undefined)?.token !== btoa(token)) {
      throw new InvalidToken("service account token does not match server's copy");
    }
    const account = { name: claim("service-account.name"), uid: claim("service-account.uid") };
    this.#requireAccount(namespace, account);
    this.#noteUse(key, secret);
    return accountUser(namespace, account);
  }

  #requireAccount(namespace: string, { name, uid }: BoundObject): void {
    const account = this.#store.table("serviceaccounts").get(`${namespace}/${name}`);
    if (account === undefined) throw new InvalidToken(`serviceaccounts ${JSON.stringify(name)} not found`);
    if (this.#isGone(account)) throw new InvalidToken(`service account ${namespace}/${name} has been deleted`);
    const found = account.metadata.uid ?? "";
    if (found !== uid) throw new InvalidToken(`service account UID (${found}) does not match claim (${uid})`);
  }

  #requireBound(resource: string, key: string, { uid }: BoundObject, kind: string): void {
    const object = this.#store.table(resource).get(key);
    if (object === undefined || this.#isGone(object)) throw new InvalidToken("service account token has been invalidated");
    const found = object.metadata.uid ?? "";
    if (found !== uid) {
      throw new InvalidToken(`${kind} UID (${found}) does not match service account ${kind} ref claim (${uid})`);
    }
  }

  /** What was deleted a minute ago counts as gone, even while finalizers hold it. */
  #isGone({ metadata }: KubeObject): boolean {
    const deletedMs = metadata.deletionTimestamp === undefined ? undefined : tryParseTime(metadata.deletionTimestamp);
    return deletedMs !== undefined && deletedMs < this.#simulation.nowMs - minuteMs;
  }

  /** Once a day: cleaners go by the label (pkg/serviceaccount/legacy.go). */
  #noteUse(key: string, secret: KubeObject): void {
    const today = formatTime(this.#simulation.nowMs).slice(0, 10);
    if (secret.metadata.labels?.[lastUsedLabel] === today) return;
    const labels = { ...secret.metadata.labels, [lastUsedLabel]: today };
    const table = this.#store.table("secrets");
    carryManagers(this.#store.put(table, key, { ...secret, metadata: { ...secret.metadata, labels } }), secret);
  }
}

function accountUser(namespace: string, { name, uid }: BoundObject): UserInfo {
  return { name: serviceAccountUserName(namespace, name), uid, groups: serviceAccountGroups(namespace) };
}

/** The groups of every service account of a namespace. */
export function serviceAccountGroups(namespace: string): readonly string[] {
  return ["system:serviceaccounts", `system:serviceaccounts:${namespace}`];
}

function extraOf(payload: Payload): NonNullable<UserInfo["extra"]> {
  const { node, pod } = payload["kubernetes.io"];
  const prefix = "authentication.kubernetes.io";
  return {
    [`${prefix}/credential-id`]: [`JTI=${payload.jti}`],
    ...(node === undefined ? {} : { [`${prefix}/node-name`]: [node.name], [`${prefix}/node-uid`]: [node.uid] }),
    ...(pod === undefined ? {} : { [`${prefix}/pod-name`]: [pod.name], [`${prefix}/pod-uid`]: [pod.uid] }),
  };
}
