// What expressions see of a request (apiserver, pkg/admission/plugin/cel).

import { aggregateText } from "#cluster/api/aggregate-text.ts";
import type { JsonValue, KubeObject } from "#cluster/api/objects.ts";
import { serviceAccountUserName } from "#cluster/api/signed-tokens.ts";
import { type Activation, evaluate } from "#cluster/cel/admission.ts";
import { type AccessCheck, Authorizer, resourceCheck } from "#cluster/cel/authorizer.ts";
import { CelBudgetFault, CostBudget, conditionsBudget } from "#cluster/cel/budget.ts";
import { CelFault, type Compiled } from "#cluster/cel/expression.ts";
import { celValue } from "#cluster/cel/values.ts";
import type { UserInfo } from "#cluster/client/client.ts";
import type { ResourceDefinition } from "#cluster/resources/definition.ts";
import { asciiLowerCase } from "#sim/ascii.ts";
import type { Origin } from "../../encoding.ts";
import { serviceAccountGroups } from "../../service-account-tokens.ts";
import type { AdmissionAttributes } from "../chain.ts";
import { type AdmissionWorld, admissionName, admissionNamespace, inVersion, newObject } from "./matching.ts";

/** The fields of an AdmissionReview's request that do not depend on the objects; empty ones are left out. */
export function requestFields(attributes: AdmissionAttributes, target: ResourceDefinition): { readonly [name: string]: JsonValue } {
  const { definition, subresource, operation, user, dryRun } = attributes;
  const kindOf = ({ group, version, kind }: ResourceDefinition) => ({ group, version, kind });
  const resourceOf = ({ group, version, plural }: ResourceDefinition) => ({ group, version, resource: plural });
  const name = admissionName(attributes);
  const namespace = admissionNamespace(attributes);
  return {
    kind: kindOf(target),
    resource: resourceOf(target),
    ...(subresource === "" ? {} : { subResource: subresource }),
    requestKind: kindOf(definition),
    requestResource: resourceOf(definition),
    ...(subresource === "" ? {} : { requestSubResource: subresource }),
    ...(name === "" ? {} : { name }),
    ...(namespace === "" ? {} : { namespace }),
    operation,
    userInfo: userFields(user),
    dryRun,
    ...(operation === "CONNECT" ? {} : { options: optionsOf(attributes) }),
  };
}

/** Of what the client asked for along with the operation; a CONNECT has none. */
function optionsOf({ operation, dryRun, fieldManager }: AdmissionAttributes): JsonValue {
  return {
    kind: `${operation.charAt(0)}${asciiLowerCase(operation.slice(1))}Options`,
    apiVersion: "meta.k8s.io/v1",
    ...(dryRun ? { dryRun: ["All"] } : {}),
    ...(fieldManager === "" ? {} : { fieldManager }),
  };
}

function userFields({ name, uid, groups, extra }: UserInfo): JsonValue {
  return {
    username: name,
    ...(uid ? { uid } : {}),
    groups: [...groups],
    ...(extra === undefined ? {} : { extra: extra as JsonValue }),
  };
}

/** The variables of expressions but for `params` and `variables`. */
export function activationOf(world: AdmissionWorld, attributes: AdmissionAttributes, target: ResourceDefinition): Activation {
  const { old, user, namespace, subresource } = attributes;
  const object = newObject(attributes);
  const check = accessCheck(world, user);
  return {
    object: object === undefined ? null : objectValue(object, attributes, target, "request"),
    oldObject: old === undefined ? null : objectValue(old, attributes, target, "store"),
    request: celValue(requestFields(attributes, target) as JsonValue),
    namespaceObject: namespaceValue(world, attributes),
    authorizer: new Authorizer(check),
    __requestResource: resourceCheck(check, {
      group: target.group,
      resource: target.plural,
      subresource,
      namespace,
      name: admissionName(attributes),
    }),
  };
}

export function objectValue(object: KubeObject, from: AdmissionAttributes, to: ResourceDefinition, origin: Origin): unknown {
  return celValue(inVersion(object, from, to, origin) as JsonValue);
}

function namespaceValue({ store }: AdmissionWorld, { definition, namespace }: AdmissionAttributes): unknown {
  const stored = definition.plural === "namespaces" || namespace === "" ? undefined : store.table("namespaces").get(namespace);
  if (stored === undefined) return null;
  const { managedFields: _managedFields, ownerReferences: _ownerReferences, ...metadata } = stored.metadata;
  return celValue({
    metadata: metadata as JsonValue,
    spec: (stored["spec"] ?? {}) as JsonValue,
    status: (stored["status"] ?? {}) as JsonValue,
  });
}

function accessCheck({ authorizer }: AdmissionWorld, requester: UserInfo): AccessCheck {
  return ({ verb, group, resource, subresource, namespace, name, path, serviceAccount }) => {
    const user = serviceAccount === "" ? requester : serviceAccountUser(serviceAccount);
    if (path !== "") return authorizer.decidePath({ user, verb, path });
    return authorizer.decide({ user, verb, group, resource, subresource, namespace, name });
  };
}

function serviceAccountUser(key: string): UserInfo {
  const [namespace = "", name = ""] = key.split("/");
  return {
    name: serviceAccountUserName(namespace, name),
    groups: [...serviceAccountGroups(namespace), "system:authenticated"],
  };
}

/**
 * Compiles what an object says when a request first meets it; the result goes with the object, which never changes.
 */
export function compiledOnce<O extends object, C>(compile: (object: O) => C): (object: O) => C {
  const known = new WeakMap<O, C>();
  return (object) => {
    let compiled = known.get(object);
    if (compiled === undefined) {
      compiled = compile(object);
      known.set(object, compiled);
    }
    return compiled;
  };
}

export interface CompiledCondition {
  readonly source: string;
  readonly compiled: Compiled | CelFault;
}

/** Runs what has been compiled. Throws CelFault. */
export function run({ source, compiled }: CompiledCondition, activation: Activation, budget: CostBudget): unknown {
  if (compiled instanceof CelFault) throw compiled;
  return evaluate(compiled, source, activation, budget);
}

/**
 * Whether all conditions hold; a fault is one only where no condition is false, and where they cost too much together. All are run.
 * Throws CelFault.
 */
export function conditionsHold(conditions: readonly CompiledCondition[], activation: Activation): boolean {
  const budget = new CostBudget(conditionsBudget);
  const faults: string[] = [];
  let holds = true;
  for (const condition of conditions) {
    try {
      if (run(condition, activation, budget) !== true) holds = false;
    } catch (error) {
      if (!(error instanceof CelFault) || error instanceof CelBudgetFault) throw error;
      faults.push(error.message);
    }
  }
  if (!holds || faults.length === 0) return holds;
  throw new CelFault(aggregateText(faults));
}
