// `--as`: a user who may impersonate acts as someone else from here on. Since v1.36 there are ways that allow less than
// everything (impersonate-on:…); they are asked first, and the first refusal is the one that is told
// (endpoints/filters/impersonation).

import { ApiError, badRequest } from "#cluster/api/errors.ts";
import { dns1123LabelReasons, dns1123SubdomainReasons } from "#cluster/api/names.ts";
import type { UserInfo } from "#cluster/client/client.ts";
import type { HttpHeaders } from "#sim/http.ts";
import { type Authorizer, forbiddenResource } from "./authorization/authorizer.ts";
import type { RequestInfo } from "./http/request-info.ts";
import { serviceAccountGroups } from "./service-account-tokens.ts";

const extraPrefix = "impersonate-extra-";
const authenticationGroup = "authentication.k8s.io";
const superusers = "system:masters";
const anonymousName = "system:anonymous";
const authenticated = "system:authenticated";
const unauthenticated = "system:unauthenticated";

/** Who is to be acted as, as the headers say. */
interface WantedUser {
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: { readonly [key: string]: readonly string[] };
}

/** A way to impersonate: `impersonate:MODE` for the user, `impersonate-on:MODE:VERB` for the request. */
interface Mode {
  readonly name: string;
  applies(wanted: WantedUser, requestor: UserInfo): boolean;
}

const modes: readonly Mode[] = [
  {
    name: "associated-node",
    applies: (wanted, requestor) =>
      isNameOnly(wanted) &&
      nodeOf(wanted.name) !== undefined &&
      accountOf(requestor.name) !== undefined &&
      requestor.extra?.[`authentication.kubernetes.io/node-name`]?.join() === nodeOf(wanted.name),
  },
  { name: "arbitrary-node", applies: (wanted) => isNameOnly(wanted) && nodeOf(wanted.name) !== undefined },
  { name: "serviceaccount", applies: (wanted) => isNameOnly(wanted) && accountOf(wanted.name) !== undefined },
  { name: "user-info", applies: ({ name }) => nodeOf(name) === undefined && accountOf(name) === undefined },
];

export interface Impersonation {
  readonly user: UserInfo;
  /** `impersonate:user-info`: the verb that allowed it, of those of v1.36; "" for the old one, and where no header asks. */
  readonly constraint: string;
}

/** The user to act as; the same user when no header asks. Throws Forbidden, and 400 for groups without a user. */
export function impersonate(user: UserInfo, headers: HttpHeaders, info: RequestInfo, authorizer: Authorizer): Impersonation {
  const wanted = wantedUser(headers);
  if (wanted === undefined) return { user, constraint: "" };
  let refusal: ApiError | undefined;
  for (const mode of modes) {
    if (!mode.applies(wanted, user)) continue;
    try {
      requireOn(mode, user, info, authorizer);
      const constraint = `impersonate:${mode.name}`;
      return { user: new Check(user, authorizer, constraint, true).impersonated(wanted), constraint };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      refusal ??= error;
    }
  }
  try {
    return { user: new Check(user, authorizer, "impersonate", false).impersonated(wanted), constraint: "" };
  } catch (error) {
    throw refusal ?? error;
  }
}

function wantedUser(headers: HttpHeaders): WantedUser | undefined {
  const extraHeaders = Object.keys(headers).filter((name) => name.startsWith(extraPrefix));
  const name = headers["impersonate-user"] ?? "";
  const uid = headers["impersonate-uid"] ?? "";
  const groups = listed(headers["impersonate-group"]);
  if (name === "") {
    if (uid === "" && groups.length === 0 && extraHeaders.length === 0) return undefined;
    const list = groups.length === 0 ? "(nil)" : `{${groups.map((group) => JSON.stringify(group)).join(", ")}}`;
    const value = `&user.DefaultInfo{Name:"", UID:${JSON.stringify(uid)}, Groups:[]string${list}, Extra:map[string][]string(nil)}`;
    throw badRequest(`requested ${value} without impersonating a user name`);
  }
  const extra = Object.fromEntries(
    extraHeaders.map((header) => [unescaped(header.slice(extraPrefix.length)), listed(headers[header])]),
  );
  return { name, uid, groups, extra };
}

/** The values of a header that may come several times; a comma is part of one. */
function listed(value: string | undefined): readonly string[] {
  return value === undefined ? [] : value.split("\n");
}

function unescaped(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}

function requireOn(mode: Mode, user: UserInfo, info: RequestInfo, authorizer: Authorizer): void {
  const verb = `impersonate-on:${mode.name}:${info.verb}`;
  if (!info.isResource) {
    authorizer.requirePath({ user, verb, path: info.path });
    return;
  }
  const { group, resource, subresource, namespace, name } = info;
  authorizer.requireResource({ user, verb, group, resource, subresource, namespace, name });
}

/** The checks of one mode: on the name, the uid, each group and each extra value. */
class Check {
  readonly #user: UserInfo;
  readonly #authorizer: Authorizer;
  readonly #verb: string;
  /** The modes of v1.36 know nodes as such, and let nobody become system:masters. */
  readonly #isConstrained: boolean;

  constructor(user: UserInfo, authorizer: Authorizer, verb: string, isConstrained: boolean) {
    this.#user = user;
    this.#authorizer = authorizer;
    this.#verb = verb;
    this.#isConstrained = isConstrained;
  }

  impersonated(wanted: WantedUser): UserInfo {
    const group = this.#isConstrained ? authenticationGroup : "";
    const account = accountOf(wanted.name);
    const node = this.#isConstrained ? nodeOf(wanted.name) : undefined;
    if (account !== undefined) this.#require(group, "serviceaccounts", account.name, { namespace: account.namespace });
    else if (node !== undefined) this.#require(group, "nodes", this.#verb.endsWith(":associated-node") ? "*" : node);
    else this.#require(group, "users", wanted.name);
    if (wanted.uid !== "") this.#require(authenticationGroup, "uids", wanted.uid);
    if (this.#isConstrained && wanted.groups.includes(superusers)) {
      throw forbiddenResource(
        this.#attributes(group, "groups", superusers, {}),
        "impersonating the system:masters group is not allowed",
      );
    }
    for (const name of wanted.groups) this.#require(group, "groups", name);
    for (const [key, values] of Object.entries(wanted.extra)) {
      for (const value of values) this.#require(authenticationGroup, "userextras", value, { subresource: key });
    }
    return userOf(wanted, account?.namespace, node !== undefined);
  }

  #require(group: string, resource: string, name: string, place: Place = {}): void {
    this.#authorizer.requireResource(this.#attributes(group, resource, name, place));
  }

  #attributes(group: string, resource: string, name: string, { namespace = "", subresource = "" }: Place) {
    return { user: this.#user, verb: this.#verb, group, resource, subresource, namespace, name };
  }
}

interface Place {
  readonly namespace?: string;
  readonly subresource?: string;
}

function userOf({ name, uid, groups, extra }: WantedUser, accountNamespace: string | undefined, isNode: boolean): UserInfo {
  const all = [...groups];
  if (isNode) all.push("system:nodes");
  if (accountNamespace !== undefined && groups.length === 0) {
    all.push(...serviceAccountGroups(accountNamespace));
  }
  const known = name === anonymousName ? unauthenticated : authenticated;
  if (!all.includes(known) && !all.includes(unauthenticated)) all.push(known);
  return { name, groups: all, ...(uid === "" ? {} : { uid }), ...(Object.keys(extra).length === 0 ? {} : { extra }) };
}

function isNameOnly({ uid, groups, extra }: WantedUser): boolean {
  return uid === "" && groups.length === 0 && Object.keys(extra).length === 0;
}

function nodeOf(userName: string): string | undefined {
  const prefix = "system:node:";
  const name = userName.slice(prefix.length);
  return userName.startsWith(prefix) && dns1123SubdomainReasons(name).length === 0 ? name : undefined;
}

function accountOf(userName: string): { readonly namespace: string; readonly name: string } | undefined {
  const [, namespace = "", name = ""] = /^system:serviceaccount:([^:]*):([^:]*)$/.exec(userName) ?? [];
  if (dns1123LabelReasons(namespace).length > 0 || dns1123SubdomainReasons(name).length > 0) return undefined;
  return { namespace, name };
}
