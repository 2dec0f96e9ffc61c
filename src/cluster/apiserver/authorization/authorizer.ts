// May this user do this? First those who may do everything, then the node authorizer, then RBAC; the first that says yes
// decides. Refusals have upstream's wording (endpoints/handlers/responsewriters/errors.go).

import { aggregateText } from "#cluster/api/aggregate-text.ts";
import { type ApiError, forbidden, otherFailure } from "#cluster/api/errors.ts";
import { parseFieldSelector, requiredFieldValue } from "#cluster/api/fields.ts";
import type { PolicyRule } from "#cluster/api/generated/types.ts";
import { SelectorError } from "#cluster/api/labels.ts";
import type { UserInfo } from "#cluster/client/client.ts";
import type { Store } from "#cluster/storage/store.ts";
import { type Decision, type PathAttributes, type ResourceAttributes, silentlyAllowed } from "./attributes.ts";
import { type Grant, RbacTables, UserGrants } from "./grants.ts";
import { decideForNode, nodeNameOf } from "./node.ts";
import { NodeReferences } from "./node-references.ts";
import { decidePath, decideResource, missingRole } from "./rbac.ts";

const superusers = "system:masters";

/** Of those of `--authorization-mode`; webhooks and policy files are not among them. */
const authorizationModes = ["AlwaysAllow", "AlwaysDeny", "Node", "RBAC"] as const;

export type AuthorizationMode = (typeof authorizationModes)[number];

export function isAuthorizationMode(name: string): name is AuthorizationMode {
  return authorizationModes.some((mode) => mode === name);
}

/** Users that came over HTTP and are remembered by what they are called; beyond this many all are forgotten. */
const maxNamedUsers = 1000;

/** What is known of a user until a role or binding changes. */
interface Profile {
  readonly isSuperuser: boolean;
  /** Set for kubelets. */
  readonly node: string | undefined;
  readonly grants: UserGrants;
}

export interface RulesFound {
  readonly rules: readonly PolicyRule[];
  /** There is more than the rules say. */
  readonly isIncomplete: boolean;
  readonly errors: readonly string[];
}

export class Authorizer {
  readonly rbac: RbacTables;
  readonly #references: NodeReferences;
  #modes: readonly AuthorizationMode[] = ["Node", "RBAC"];
  /** Components keep their user for as long as they run. */
  #profiles = new WeakMap<UserInfo, Profile>();
  readonly #named = new Map<string, Profile>();
  #revision = 0;

  constructor(store: Store) {
    this.rbac = new RbacTables(store);
    this.#references = new NodeReferences(store);
  }

  /** Who decides from now on. */
  use(modes: readonly AuthorizationMode[]): void {
    this.#modes = modes;
    this.#forgetUsers();
  }

  /** The binding that allows it; undefined where RBAC was not asked: for superusers, and kubelets at their own objects. Throws Forbidden. */
  requireResource(attributes: ResourceAttributes): Grant | undefined {
    const { isSuperuser, node, grants } = this.#profileOf(attributes.user);
    if (isSuperuser) return undefined;
    const asked = attributes.fieldSelector === undefined ? attributes : named(attributes);
    if (node !== undefined && decideForNode(node, asked, this.#references).allowed) return undefined;
    const allowing = this.#hasRbac ? grants.allowing(asked) : undefined;
    if (allowing !== undefined) return allowing;
    throw forbiddenResource(asked, this.decide(asked).reason);
  }

  /** Throws Forbidden. */
  requirePath(attributes: PathAttributes): void {
    const { isSuperuser, grants } = this.#profileOf(attributes.user);
    if (isSuperuser || (this.#hasRbac && grants.allowsPath(attributes.verb, attributes.path))) return;
    throw forbiddenPath(attributes, this.decidePath(attributes).reason);
  }

  /** The answer with its reason. */
  decide(attributes: ResourceAttributes): Decision {
    const { isSuperuser, node, grants } = this.#profileOf(attributes.user);
    if (isSuperuser) return silentlyAllowed;
    const asked = named(attributes);
    const reasons: string[] = [];
    if (node !== undefined) {
      const decision = decideForNode(node, asked, this.#references);
      if (decision.allowed) return decision;
      reasons.push(decision.reason);
    }
    const decision = this.#hasRbac ? decideResource(grants, asked) : noOpinion;
    return decision.allowed ? decision : { allowed: false, reason: joined([...reasons, decision.reason]) };
  }

  decidePath(attributes: PathAttributes): Decision {
    const { isSuperuser, grants } = this.#profileOf(attributes.user);
    if (isSuperuser) return silentlyAllowed;
    return this.#hasRbac ? decidePath(grants, attributes) : noOpinion;
  }

  /** Everything that a user may do in a namespace by rules (who is a superuser is told by none), and what stood in the way of knowing. */
  rulesFor(user: UserInfo, namespace: string): RulesFound {
    const { node, grants } = this.#profileOf(user);
    const missing = grants.in(namespace).filter(({ rules }) => rules === undefined);
    return {
      rules: [...(this.#modes.includes("AlwaysAllow") ? everything : []), ...grants.rulesIn(namespace)],
      isIncomplete: node !== undefined,
      errors: [
        ...(node === undefined ? [] : ["node authorizer does not support user rule resolution"]),
        ...(missing.length === 0 ? [] : [aggregateText(missing.map(missingRole))]),
      ],
    };
  }

  /** What RBAC alone gives a user in a namespace: what the user may pass on. */
  grantsOf(user: UserInfo): UserGrants {
    return this.#profileOf(user).grants;
  }

  #profileOf(user: UserInfo): Profile {
    const { revision } = this.rbac;
    if (revision !== this.#revision) {
      this.#revision = revision;
      this.#forgetUsers();
    }
    return this.#profiles.get(user) ?? this.#namedProfile(user);
  }

  get #hasRbac(): boolean {
    return this.#modes.includes("RBAC");
  }

  #forgetUsers(): void {
    this.#profiles = new WeakMap();
    this.#named.clear();
  }

  #namedProfile(user: UserInfo): Profile {
    const key = `${user.name}\n${user.groups.join("\n")}`;
    let profile = this.#named.get(key);
    if (profile === undefined) {
      const isSuperuser = user.groups.includes(superusers) || this.#modes.includes("AlwaysAllow");
      const node = this.#modes.includes("Node") ? nodeNameOf(user) : undefined;
      profile = { isSuperuser, node, grants: new UserGrants(this.rbac, user) };
      if (this.#named.size >= maxNamedUsers) this.#named.clear();
      this.#named.set(key, profile);
    }
    this.#profiles.set(user, profile);
    return profile;
  }
}

const noOpinion: Decision = { allowed: false, reason: "" };

/** All that there is. */
export const everything: readonly PolicyRule[] = [
  { verbs: ["*"], apiGroups: ["*"], resources: ["*"] },
  { verbs: ["*"], nonResourceURLs: ["*"] },
];

/** A list that selects one object by its name is a request for that object. */
function named(attributes: ResourceAttributes): ResourceAttributes {
  const { fieldSelector, name } = attributes;
  if (fieldSelector === undefined || name !== "") return attributes;
  const selected = selectedName(fieldSelector);
  return selected === undefined ? attributes : { ...attributes, name: selected };
}

/** The only name that a field selector allows. */
export function selectedName(fieldSelector: string): string | undefined {
  if (!fieldSelector.includes("metadata.name")) return undefined;
  try {
    return requiredFieldValue(parseFieldSelector(fieldSelector), "metadata.name");
  } catch (error) {
    // The verb says what is wrong with the selector.
    if (error instanceof SelectorError) return undefined;
    throw error;
  }
}

function joined(reasons: readonly string[]): string {
  return reasons.filter((reason) => reason !== "").join("\n");
}

export function forbiddenResource(attributes: ResourceAttributes, reason: string): ApiError {
  const { user, verb, group, resource, subresource, namespace, name } = attributes;
  const full = subresource === "" ? resource : `${resource}/${subresource}`;
  const scope = namespace === "" ? "at the cluster scope" : `in the namespace ${JSON.stringify(namespace)}`;
  const cause = `User ${JSON.stringify(user.name)} cannot ${verb} resource ${JSON.stringify(full)} in API group ${JSON.stringify(group)} ${scope}`;
  return forbidden({ group, resource }, name, withReason(cause, reason));
}

function forbiddenPath({ user, verb, path }: PathAttributes, reason: string): ApiError {
  const cause = `User ${JSON.stringify(user.name)} cannot ${verb} path ${JSON.stringify(path)}`;
  return otherFailure(403, "Forbidden", `forbidden: ${withReason(cause, reason)}`, {});
}

/** Nothing in the text may look like HTML. */
function withReason(cause: string, reason: string): string {
  const safe = cause.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return reason === "" ? safe : `${safe}: ${reason}`;
}
