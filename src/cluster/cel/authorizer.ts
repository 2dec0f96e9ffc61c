// `authorizer` in admission expressions: may the requester do something else (apiserver, pkg/cel/library/authz.go).

import type { Environment } from "@marcbachmann/cel-js";
import type { RuleQuestion } from "#cluster/api/policy-rules.ts";

/** One question: may this user do that. */
export interface AccessQuestion extends RuleQuestion {
  readonly namespace: string;
  /** Of requests that are not for resources. */
  readonly path: string;
  /** `namespace/name` of a service account that is asked about instead of the requester. */
  readonly serviceAccount: string;
}

export type AccessCheck = (question: AccessQuestion) => { readonly allowed: boolean; readonly reason: string };

const nothing: AccessQuestion = {
  verb: "",
  group: "",
  resource: "",
  subresource: "",
  namespace: "",
  name: "",
  path: "",
  serviceAccount: "",
};

export class Authorizer {
  readonly check: AccessCheck;
  readonly question: AccessQuestion;

  constructor(check: AccessCheck, question: AccessQuestion = nothing) {
    this.check = check;
    this.question = question;
  }
}

class GroupCheck extends Authorizer {}
class ResourceCheck extends Authorizer {}
class PathCheck extends Authorizer {}

class Decision {
  readonly allowed: boolean;
  readonly reason: string;

  constructor({ allowed, reason }: { readonly allowed: boolean; readonly reason: string }) {
    this.allowed = allowed;
    this.reason = reason;
  }
}

/** What `authorizer.requestResource` is: a check of the request's own resource. */
export function resourceCheck(check: AccessCheck, question: Partial<AccessQuestion>): unknown {
  return new ResourceCheck(check, { ...nothing, ...question });
}

const prefix = "kubernetes.authorization";

export function addAuthorizer(environment: Environment): void {
  const [authorizer, group, resource, path, decision] = [
    `${prefix}.Authorizer`,
    `${prefix}.GroupCheck`,
    `${prefix}.ResourceCheck`,
    `${prefix}.PathCheck`,
    `${prefix}.Decision`,
  ];
  const narrowed = (one: Authorizer, part: Partial<AccessQuestion>): ResourceCheck =>
    new ResourceCheck(one.check, { ...one.question, ...part });
  const decide = (one: Authorizer, verb: string): Decision => new Decision(one.check({ ...one.question, verb }));
  environment
    .registerType(authorizer, Authorizer)
    .registerType(group, GroupCheck)
    .registerType(resource, ResourceCheck)
    .registerType(path, PathCheck)
    .registerType(decision, Decision)
    .registerFunction(
      `${authorizer}.path(string): ${path}`,
      (one: Authorizer, text: string) => new PathCheck(one.check, { ...one.question, path: text }),
    )
    .registerFunction(
      `${authorizer}.group(string): ${group}`,
      (one: Authorizer, text: string) => new GroupCheck(one.check, { ...one.question, group: text }),
    )
    .registerFunction(
      `${authorizer}.serviceAccount(string, string): ${authorizer}`,
      (one: Authorizer, namespace: string, name: string) =>
        new Authorizer(one.check, { ...one.question, serviceAccount: `${namespace}/${name}` }),
    )
    .registerFunction(`${group}.resource(string): ${resource}`, (one: Authorizer, text: string) =>
      narrowed(one, { resource: text }),
    )
    .registerFunction(`${resource}.subresource(string): ${resource}`, (one: Authorizer, text: string) =>
      narrowed(one, { subresource: text }),
    )
    .registerFunction(`${resource}.namespace(string): ${resource}`, (one: Authorizer, text: string) =>
      narrowed(one, { namespace: text }),
    )
    .registerFunction(`${resource}.name(string): ${resource}`, (one: Authorizer, text: string) => narrowed(one, { name: text }))
    .registerFunction(`${resource}.check(string): ${decision}`, decide)
    .registerFunction(`${path}.check(string): ${decision}`, decide)
    .registerFunction(`${decision}.allowed(): bool`, ({ allowed }: Decision) => allowed)
    .registerFunction(`${decision}.errored(): bool`, () => false)
    .registerFunction(`${decision}.error(): string`, () => "")
    .registerFunction(`${decision}.reason(): string`, ({ reason }: Decision) => reason);
}
