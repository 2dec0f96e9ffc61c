// Tokens of service accounts: made on request, good for an audience and a time, dead with the account (or pod) they are
// bound to. They look like JWTs; the signature is no cryptography.

import type { UserInfo } from "#cluster/client/client.ts";
import type { Store } from "#cluster/storage/store.ts";
import type { Simulation } from "#sim/simulation.ts";

export const defaultAudience = "https://kubernetes.default.svc.cluster.local";
const signature = "c2ltdWxhdGVk";

export interface TokenClaims {
  readonly namespace: string;
  readonly serviceAccount: { readonly name: string; readonly uid: string };
  readonly pod?: { readonly name: string; readonly uid: string };
  readonly audiences: readonly string[];
  readonly expirationMs: number;
}

interface Payload {
  readonly aud: readonly string[];
  readonly exp: number;
  readonly sub: string;
  readonly "kubernetes.io": {
    readonly namespace: string;
    readonly serviceaccount: { readonly name: string; readonly uid: string };
    readonly pod?: { readonly name: string; readonly uid: string };
  };
}

export class ServiceAccountTokens {
  readonly #simulation: Simulation;
  readonly #store: Store;

  constructor(simulation: Simulation, store: Store) {
    this.#simulation = simulation;
    this.#store = store;
  }

  issue(claims: TokenClaims): string {
    const issuedSeconds = Math.floor(this.#simulation.nowMs / 1000);
    const { namespace, serviceAccount, pod } = claims;
    const payload = {
      aud: claims.audiences,
      exp: Math.floor(claims.expirationMs / 1000),
      iat: issuedSeconds,
      iss: defaultAudience,
      jti: this.#simulation.random.uuid(),
      "kubernetes.io": { namespace, ...(pod === undefined ? {} : { pod }), serviceaccount: serviceAccount },
      nbf: issuedSeconds,
      sub: `system:serviceaccount:${namespace}:${serviceAccount.name}`,
    };
    return [base64Url(JSON.stringify({ alg: "RS256", kid: "pilothouse" })), base64Url(JSON.stringify(payload)), signature].join(
      ".",
    );
  }

  /** The user of a token that is good now for the API server; undefined otherwise. */
  verify(token: string): UserInfo | undefined {
    const payload = payloadOf(token);
    if (payload === undefined) return undefined;
    if (!payload.aud.includes(defaultAudience) || payload.exp * 1000 <= this.#simulation.nowMs) return undefined;
    const { namespace, serviceaccount, pod } = payload["kubernetes.io"];
    if (this.#uidOf("serviceaccounts", namespace, serviceaccount.name) !== serviceaccount.uid) return undefined;
    if (pod !== undefined && this.#uidOf("pods", namespace, pod.name) !== pod.uid) return undefined;
    return {
      name: payload.sub,
      uid: serviceaccount.uid,
      groups: ["system:serviceaccounts", `system:serviceaccounts:${namespace}`],
      ...(pod === undefined
        ? {}
        : { extra: { "authentication.kubernetes.io/pod-name": [pod.name], "authentication.kubernetes.io/pod-uid": [pod.uid] } }),
    };
  }

  #uidOf(resource: string, namespace: string, name: string): string | undefined {
    return this.#store.table(resource).get(`${namespace}/${name}`)?.metadata.uid;
  }
}

function payloadOf(token: string): Payload | undefined {
  const [, payload, signed, more] = token.split(".");
  if (payload === undefined || signed !== signature || more !== undefined) return undefined;
  try {
    const parsed = JSON.parse(atob(payload.replaceAll("-", "+").replaceAll("_", "/"))) as Partial<Payload>;
    const account = parsed?.["kubernetes.io"]?.serviceaccount;
    const whole = Array.isArray(parsed?.aud) && typeof parsed.exp === "number" && typeof parsed.sub === "string";
    return whole && account !== undefined ? (parsed as Payload) : undefined;
  } catch {
    return undefined;
  }
}

/** Names are ASCII, so their UTF-16 units are bytes. */
function base64Url(text: string): string {
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}
