// Fills Secrets of type kubernetes.io/service-account-token with a token that has no end, and takes them away with their
// account (pkg/controller/serviceaccount/tokens_controller.go). Acts as the controller manager itself.

import type { Secret, ServiceAccount } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import { keyOf, type Stored, splitKey } from "#cluster/api/objects.ts";
import { legacyToken } from "#cluster/api/signed-tokens.ts";
import type { Client } from "#cluster/client/client.ts";
import type { Informer } from "#cluster/client/informer.ts";
import { isReason } from "#cluster/client/retry.ts";
import type { ControllerContext, ControllerDefinition } from "../context.ts";
import { type Controller, watchRule } from "../controller.ts";

const name = "serviceaccount-token-controller";
const tokenType = "kubernetes.io/service-account-token";
const nameAnnotation = "kubernetes.io/service-account.name";
const uidAnnotation = "kubernetes.io/service-account.uid";
const byAccount = "serviceAccount";

/** `rootCa`: the CA bundle in PEM that goes with each token; "" for none. */
export function tokenController(rootCa: string): ControllerDefinition {
  return { name, create: (context) => new TokenController(context, rootCa) };
}

class TokenController implements Controller {
  readonly name = name;
  readonly #client: Client;
  readonly #accounts: Informer<ServiceAccount>;
  readonly #secrets: Informer<Secret>;
  readonly #rootCa: string;
  readonly watches = [
    watchRule<Secret>({
      resource: kinds.secrets,
      keys: (secret, _previous, deleted) => (isToken(secret) && !deleted ? [keyOf(secret)] : []),
    }),
    watchRule<ServiceAccount>({
      resource: kinds.serviceAccounts,
      keys: (account) => [...this.#secrets.byIndex(byAccount, keyOf(account))].map(keyOf),
    }),
  ];

  constructor({ client, informers }: ControllerContext, rootCa: string) {
    this.#client = client;
    this.#rootCa = rootCa;
    this.#accounts = informers.informer(kinds.serviceAccounts);
    this.#secrets = informers.informer(kinds.secrets);
    this.#secrets.addIndex(byAccount, (secret) => (isToken(secret) ? [accountKeyOf(secret)] : []));
  }

  reconcile(key: string): undefined {
    const secret = this.#secrets.get(key);
    if (secret === undefined || !isToken(secret)) return undefined;
    const account = this.#account(secret);
    if (account === undefined) this.#remove(secret);
    else this.#fill(secret, account);
    return undefined;
  }

  /** The account that the secret names, looked up at the server before one is taken for gone. */
  #account(secret: Stored<Secret>): Stored<ServiceAccount> | undefined {
    const key = accountKeyOf(secret);
    const known = this.#accounts.get(key) ?? this.#find(key);
    const uid = secret.metadata.annotations?.[uidAnnotation] ?? "";
    return known === undefined || (uid !== "" && uid !== known.metadata.uid) ? undefined : known;
  }

  #find(key: string): Stored<ServiceAccount> | undefined {
    try {
      return this.#client.get(kinds.serviceAccounts, splitKey(key));
    } catch (error) {
      if (isReason(error, "NotFound")) return undefined;
      throw error;
    }
  }

  #remove(secret: Stored<Secret>): void {
    try {
      this.#client.delete(kinds.secrets, splitKey(keyOf(secret)), { uid: secret.metadata.uid });
    } catch (error) {
      if (!isReason(error, "NotFound") && !isReason(error, "Conflict")) throw error;
    }
  }

  /** Writes what is missing or wrong: the certificate, the namespace, the token, the account's uid. */
  #fill(secret: Stored<Secret>, account: Stored<ServiceAccount>): void {
    const { namespace = "", name: secretName, annotations } = secret.metadata;
    const { name: accountName, uid } = account.metadata;
    const data: { [key: string]: string } = { ...secret.data };
    if (this.#rootCa !== "") data["ca.crt"] = btoa(this.#rootCa);
    data["namespace"] ??= btoa(namespace);
    data["token"] ??= btoa(legacyToken(namespace, secretName, { name: accountName, uid }));
    const isComplete = annotations?.[uidAnnotation] === uid && Object.keys(data).every((key) => data[key] === secret.data?.[key]);
    if (isComplete) return;
    const metadata = { ...secret.metadata, annotations: { ...annotations, [uidAnnotation]: uid } };
    try {
      this.#client.update(kinds.secrets, { ...secret, metadata, data });
    } catch (error) {
      // Someone else wrote: the change wakes this controller again.
      if (!isReason(error, "Conflict") && !isReason(error, "NotFound")) throw error;
    }
  }
}

function isToken(secret: Pick<Secret, "type">): boolean {
  return secret.type === tokenType;
}

function accountKeyOf({ metadata }: Stored<Secret>): string {
  return `${metadata.namespace ?? ""}/${metadata.annotations?.[nameAnnotation] ?? ""}`;
}
