// kubectl expose: a Service made from what an object says of its Pods: selector, ports, protocols and labels.

import { asciiLowerCase } from "#sim/ascii.ts";
import { isOwnError } from "#sim/errors.ts";
import type { Sys } from "#sim/program.ts";
import { withLastMade } from "../../apply/last-applied.ts";
import { pathOf } from "../../client/discovery.ts";
import type { Command, Context } from "../../context.ts";
import { isObject, type JsonObject, objectAt, textAt, valueAt, withValue } from "../../documents.ts";
import { KubectlError, throwAll } from "../../errors.ts";
import { withRecord } from "../../resources/recording.ts";
import { type Info, select, selectionFromFlags } from "../../resources/selection.ts";
import { writingPrinter } from "../../resources/writing.ts";
import { overridden } from "../overrides.ts";
import { labelsFromText } from "../run/run-pod.ts";
import { dryRunOf, dryRunQuery } from "../write-options.ts";
import { exposedPorts, portsOf, protocolsOf } from "./exposed-ports.ts";

const exposable = ["Deployment.apps", "Pod", "ReplicaSet.apps", "ReplicationController", "Service"];
const longestName = 63;

export const expose: Command = {
  path: "expose",
  *run(context) {
    dryRunOf(context);
    const { infos, errors } = yield* select(context, {
      ...selectionFromFlags(context),
      labelSelector: "",
      continueOnError: true,
    });
    const failures: Error[] = [...errors];
    for (const info of infos) {
      try {
        yield* exposeOne(context, info);
      } catch (error) {
        if (!isOwnError(error)) throw error;
        failures.push(error);
      }
    }
    throwAll(failures);
  },
};

function* exposeOne(context: Context, info: Info): Sys<void> {
  const { group, kind } = info.mapping;
  const groupKind = group === "" ? kind : `${kind}.${group}`;
  if (!exposable.includes(groupKind)) throw new KubectlError(`cannot expose a ${groupKind}`);
  const service = withRecord(context, overridden(context, serviceFor(context, info), "Service"));
  const { name: namespace, explicit } = context.namespace();
  const dryRun = dryRunOf(context);
  const printer = writingPrinter(context, "exposed");
  if (dryRun === "client") {
    const placed = explicit ? withValue(service, ["metadata", "namespace"], namespace) : service;
    yield* context.out(printer(placed));
    return;
  }
  const mapping = yield* context.discovery().require("services");
  const answer = yield* context.client().json({
    method: "POST",
    path: pathOf(mapping, namespace),
    query: { fieldManager: context.flags.text("field-manager"), ...dryRunQuery(dryRun) },
    body: context.flags.bool("save-config") ? withLastMade(service) : service,
  });
  yield* context.out(printer(isObject(answer) ? answer : service));
}

function serviceFor(context: Context, info: Info): JsonObject {
  const { flags } = context;
  const object = info.object ?? {};
  const selector = flags.text("selector") === "" ? selectorOf(object) : flags.text("selector");
  const portText = flags.text("port") === "" ? portTextOf(object, flags.text("cluster-ip") === "None") : flags.text("port");
  const labels = flags.text("labels") === "" ? labelText(objectAt(object, "metadata", "labels")) : flags.text("labels");
  const selectorLabels = selector === "" ? missingSelector() : labelsFromText(selector);
  const ports = exposedPorts(portText, flags.text("protocol"), protocolsOf(object), flags.text("target-port"));
  const type = flags.text("type");
  return {
    kind: "Service",
    apiVersion: "v1",
    metadata: {
      name: flags.text("name") === "" ? info.name.slice(0, longestName) : flags.text("name"),
      ...(labels === "" ? {} : { labels: labelsFromText(labels) }),
    },
    spec: {
      ...(ports.length === 0 ? {} : { ports }),
      selector: selectorLabels,
      ...whenGiven("clusterIP", flags.text("cluster-ip")),
      ...(flags.text("external-ip") === "" ? {} : { externalIPs: [flags.text("external-ip")] }),
      ...whenGiven("type", type),
      ...(type === "LoadBalancer" ? whenGiven("loadBalancerIP", flags.text("load-balancer-ip")) : {}),
      ...whenGiven("sessionAffinity", sessionAffinity(flags.text("session-affinity"))),
    },
    status: { loadBalancer: {} },
  };
}

function missingSelector(): never {
  throw new KubectlError("selector must be specified");
}

function whenGiven(field: string, text: string): JsonObject {
  return text === "" ? {} : { [field]: text };
}

function sessionAffinity(text: string): string {
  if (text !== "" && text !== "None" && text !== "ClientIP") throw new KubectlError(`unknown session affinity: ${text}`);
  return text;
}

/** The ports of the object, when none was given. */
function portTextOf(object: JsonObject, isHeadless: boolean): string {
  const ports = portsOf(object);
  if (ports.length === 0 && !isHeadless) throw new KubectlError("couldn't find port via --port flag or introspection");
  return ports.join(",");
}

function selectorOf(object: JsonObject): string {
  const refuse = (reason: string): never => {
    throw new KubectlError(`couldn't retrieve selectors via --selector flag or introspection: ${reason}`);
  };
  const kind = textAt(object, "kind");
  if (kind === "Pod") {
    const labels = objectAt(object, "metadata", "labels");
    return Object.keys(labels).length === 0 ? refuse("the pod has no labels and cannot be exposed") : labelText(labels);
  }
  const selector = valueAt(object, "spec", "selector");
  if (kind === "Service") return isObject(selector) ? labelText(selector) : refuse("the service has no pod selector set");
  if (kind === "ReplicationController") return labelText(isObject(selector) ? selector : {});
  const labels = objectAt(selector, "matchLabels");
  if (Object.keys(labels).length === 0) {
    return refuse(`invalid ${asciiLowerCase(kind)}: no selectors, therefore cannot be exposed`);
  }
  const expressions = valueAt(selector, "matchExpressions");
  if (!Array.isArray(expressions) || expressions.length === 0) return labelText(labels);
  const texts = expressions.map((expression) => {
    const values = valueAt(expression, "values");
    return `{Key:${textAt(expression, "key")} Operator:${textAt(expression, "operator")} Values:[${(Array.isArray(values) ? values : []).join(" ")}]}`;
  });
  return refuse(`couldn't convert expressions - "[${texts.join(" ")}]" to map-based selector format`);
}

function labelText(labels: JsonObject): string {
  return Object.entries(labels)
    .map(([key, value]) => `${key}=${String(value)}`)
    .join(",");
}
