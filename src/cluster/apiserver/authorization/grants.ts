// What RBAC gives a user: the rules of every role that a binding ties to the user's name or groups. Worked out at the
// user's first request and kept until a role or a binding changes.

import type { PolicyRule, RbacV1Subject, RoleRef } from "#cluster/api/generated/types.ts";
import type { KubeObject } from "#cluster/api/objects.ts";
import { isForAllNames, ruleAllows, ruleAllowsPath, ruleConcerns } from "#cluster/api/policy-rules.ts";
import { serviceAccountUserName } from "#cluster/api/signed-tokens.ts";
import type { UserInfo } from "#cluster/client/client.ts";
import type { Store } from "#cluster/storage/store.ts";
import type { Table } from "#cluster/storage/table.ts";
import type { ResourceAttributes } from "./attributes.ts";

export type StoredBinding = KubeObject & { readonly roleRef: RoleRef; readonly subjects?: readonly RbacV1Subject[] | null };

/** One binding that applies to a user. */
export interface Grant {
  readonly binding: StoredBinding;
  /** The first of its subjects that the user is. */
  readonly subject: RbacV1Subject;
  /** Undefined when the role does not exist. */
  readonly rules: readonly PolicyRule[] | undefined;
}

/** A subject of a binding, and where both stand. */
interface Bound {
  readonly binding: StoredBinding;
  readonly subject: RbacV1Subject;
  readonly position: number;
  readonly subjectPosition: number;
}

const noBindings: readonly Bound[] = [];
const apiGroup = "rbac.authorization.k8s.io";
const noRules: readonly PolicyRule[] = [];

/** The tables that RBAC lives in. */
export class RbacTables {
  readonly roles: Table;
  readonly clusterRoles: Table;
  readonly roleBindings: Table;
  readonly clusterRoleBindings: Table;
  /** By namespace, as of a revision of the bindings' table. */
  readonly #bound = new Map<string, { readonly revision: number; readonly bySubject: ReadonlyMap<string, Bound[]> }>();

  constructor(store: Store) {
    this.roles = store.table(`roles.${apiGroup}`);
    this.clusterRoles = store.table(`clusterroles.${apiGroup}`);
    this.roleBindings = store.table(`rolebindings.${apiGroup}`);
    this.clusterRoleBindings = store.table(`clusterrolebindings.${apiGroup}`);
  }

  /** The bindings of the cluster (`namespace` "") or of a namespace that have a subject, by `Kind:name`. */
  bindingsTo(subject: string, namespace: string): readonly Bound[] {
    const table = namespace === "" ? this.clusterRoleBindings : this.roleBindings;
    const known = this.#bound.get(namespace);
    if (known !== undefined && known.revision === table.revision) return known.bySubject.get(subject) ?? noBindings;
    const bySubject = boundIn(table.list(namespace) as StoredBinding[], namespace);
    this.#bound.set(namespace, { revision: table.revision, bySubject });
    return bySubject.get(subject) ?? noBindings;
  }

  /** Grows with every write to one of the tables. */
  get revision(): number {
    const { roles, clusterRoles, roleBindings, clusterRoleBindings } = this;
    return Math.max(roles.revision, clusterRoles.revision, roleBindings.revision, clusterRoleBindings.revision);
  }

  /** The rules that a binding of `namespace` refers to; undefined when there is no such role. */
  rulesOf({ kind, name }: RoleRef, namespace: string): readonly PolicyRule[] | undefined {
    const role = kind === "Role" ? this.roles.get(`${namespace}/${name}`) : this.clusterRoles.get(name);
    if (role === undefined) return undefined;
    return (role["rules"] as readonly PolicyRule[] | null | undefined) ?? noRules;
  }
}

interface Answer {
  readonly grant: Grant;
  /** Undefined: of any name. */
  readonly name: string | undefined;
  readonly verb: string;
  readonly group: string;
  readonly subresource: string;
  /** Undefined: of any namespace. */
  readonly namespace: string | undefined;
}

/** Questions of one user about one resource that are remembered; past this they are worked out anew. */
const maxAnswers = 64;

export class UserGrants {
  readonly #tables: RbacTables;
  readonly #user: UserInfo;
  #clusterGrants: readonly Grant[] | undefined;
  readonly #namespaceGrants = new Map<string, readonly Grant[]>();
  /** What is allowed, by resource. */
  readonly #allowed = new Map<string, Answer[]>();

  constructor(tables: RbacTables, user: UserInfo) {
    this.#tables = tables;
    this.#user = user;
  }

  /** The bindings that count in a namespace: those of the cluster, then the namespace's own. */
  in(namespace: string): readonly Grant[] {
    this.#clusterGrants ??= this.#grantsOf("");
    if (namespace === "") return this.#clusterGrants;
    let own = this.#namespaceGrants.get(namespace);
    if (own === undefined) {
      own = this.#grantsOf(namespace);
      this.#namespaceGrants.set(namespace, own);
    }
    return own.length === 0 ? this.#clusterGrants : [...this.#clusterGrants, ...own];
  }

  /** All rules that count in a namespace. */
  rulesIn(namespace: string): readonly PolicyRule[] {
    return this.in(namespace).flatMap(({ rules }) => rules ?? noRules);
  }

  /** The first binding that allows a request; undefined when none does. What was found once is remembered. */
  allowing(attributes: ResourceAttributes): Grant | undefined {
    const { verb, group, resource, subresource, namespace, name } = attributes;
    const known = this.#allowed.get(resource);
    if (known !== undefined) {
      for (const answer of known) {
        if (
          answer.verb === verb &&
          answer.subresource === subresource &&
          answer.group === group &&
          (answer.name === undefined || answer.name === name) &&
          (answer.namespace === undefined || answer.namespace === namespace)
        )
          return answer.grant;
      }
    }
    return this.#workOut(attributes);
  }

  #workOut(attributes: ResourceAttributes): Grant | undefined {
    let isSameForAllNames = true;
    for (const grant of this.in(attributes.namespace)) {
      const concerning = grant.rules?.filter((rule) => ruleConcerns(rule, attributes)) ?? noRules;
      const isForAny = isSameForAllNames && concerning.some(isForAllNames);
      if (isForAny) this.#remember(attributes, grant, undefined);
      if (concerning.some((rule) => ruleAllows(rule, attributes))) {
        // Leases of leaders are renewed by name, every two seconds.
        if (!isForAny) this.#remember(attributes, grant, attributes.name);
        return grant;
      }
      // An object of another name would have been allowed by this one.
      if (concerning.length > 0) isSameForAllNames = false;
    }
    return undefined;
  }

  #remember(attributes: ResourceAttributes, grant: Grant, name: string | undefined): void {
    const { verb, group, resource, subresource, namespace: asked } = attributes;
    const known = this.#allowed.get(resource);
    const namespace = this.in("").includes(grant) ? undefined : asked;
    const answer: Answer = { grant, name, verb, group, subresource, namespace };
    if (known === undefined || known.length >= maxAnswers) this.#allowed.set(resource, [answer]);
    else known.push(answer);
  }

  allowsPath(verb: string, path: string): boolean {
    return this.in("").some(({ rules }) => rules?.some((rule) => ruleAllowsPath(rule, verb, path)) === true);
  }

  #grantsOf(namespace: string): readonly Grant[] {
    const { name, groups } = this.#user;
    const bound = [...this.#tables.bindingsTo(`User:${name}`, namespace)];
    for (const group of groups) bound.push(...this.#tables.bindingsTo(`Group:${group}`, namespace));
    // One binding counts once, by the first of its subjects.
    bound.sort((a, b) => a.position - b.position || a.subjectPosition - b.subjectPosition);
    return bound
      .filter(({ position }, index) => position !== bound[index - 1]?.position)
      .map(({ binding, subject }) => ({ binding, subject, rules: this.#tables.rulesOf(binding.roleRef, namespace) }));
  }
}

/** Bindings by the users and groups that they are to; the user of a service account has a name. */
function boundIn(bindings: readonly StoredBinding[], namespace: string): ReadonlyMap<string, Bound[]> {
  const bySubject = new Map<string, Bound[]>();
  for (const [position, binding] of bindings.entries()) {
    for (const [subjectPosition, subject] of (binding.subjects ?? []).entries()) {
      const key = keyOfSubject(subject, namespace);
      const known = bySubject.get(key);
      const bound = { binding, subject, position, subjectPosition };
      if (known === undefined) bySubject.set(key, [bound]);
      else known.push(bound);
    }
  }
  return bySubject;
}

function keyOfSubject({ kind, name, namespace }: RbacV1Subject, bindingNamespace: string): string {
  if (kind !== "ServiceAccount") return `${kind}:${name}`;
  return `User:${serviceAccountUserName(namespace || bindingNamespace, name)}`;
}
