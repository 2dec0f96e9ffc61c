// The Pod, and with --expose the Service, that `kubectl run` makes from its flags.

import type { Context } from "../../context.ts";
import type { JsonObject } from "../../documents.ts";
import { KubectlError } from "../../errors.ts";
import { exposedPorts } from "../expose/exposed-ports.ts";
import { overridden } from "../overrides.ts";

export function labelsFromText(text: string): { readonly [key: string]: string } {
  const pairs = text.split(",").map((pair) => {
    const [key = "", value, ...rest] = pair.split("=");
    if (value === undefined || rest.length > 0) throw new KubectlError(`unexpected label spec: ${pair}`);
    if (key === "") throw new KubectlError("unexpected empty label key");
    return [key, value] as const;
  });
  return Object.fromEntries(pairs);
}

function labelsOf(context: Context, name: string): { readonly [key: string]: string } {
  const text = context.flags.text("labels");
  return text === "" ? { run: name } : labelsFromText(text);
}

function environmentOf(context: Context): readonly JsonObject[] {
  return context.flags.list("env").map((pair) => {
    const equals = pair.indexOf("=");
    const name = pair.slice(0, Math.max(0, equals));
    if (!/^[^\s=\u0000-\u001f\u007f-\u009f]+$/u.test(name)) throw new KubectlError(`invalid env: ${pair}`);
    return { name, value: pair.slice(equals + 1) };
  });
}

function annotationsOf(context: Context): JsonObject | undefined {
  const given = context.flags.list("annotations");
  if (given.length === 0) return undefined;
  const invalid = given.filter((pair) => pair.indexOf("=") <= 0);
  if (invalid.length > 0) throw new KubectlError(`invalid annotations format: ${invalid.join(", ")}`);
  return Object.fromEntries(given.map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]));
}

function portOf(text: string): number {
  if (!/^[+-]?\d+$/.test(text)) throw new KubectlError(`strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`);
  return Number(text);
}

/** Throws KubectlError for flags that do not fit together. */
export function podFromFlags(context: Context): JsonObject {
  const { flags, args } = context;
  const [name = "", ...words] = args;
  const stdin = flags.bool("stdin");
  const environment = environmentOf(context);
  const annotations = annotationsOf(context);
  const pullPolicy = flags.text("image-pull-policy");
  const restart = flags.text("restart");
  const container: JsonObject = {
    name,
    image: flags.text("image"),
    ...(words.length === 0 ? {} : { [flags.bool("command") ? "command" : "args"]: words }),
    ...(flags.text("port") === "" ? {} : { ports: [{ containerPort: portOf(flags.text("port")) }] }),
    ...(environment.length === 0 ? {} : { env: environment }),
    resources: {},
    ...(pullPolicy === "" ? {} : { imagePullPolicy: pullPolicy }),
    ...(flags.bool("privileged") ? { securityContext: { privileged: true } } : {}),
    ...(stdin ? { stdin: true } : {}),
    ...(stdin && !flags.bool("leave-stdin-open") ? { stdinOnce: true } : {}),
    ...(flags.bool("tty") ? { tty: true } : {}),
  };
  const pod: JsonObject = {
    kind: "Pod",
    apiVersion: "v1",
    metadata: { name, labels: labelsOf(context, name), ...(annotations === undefined ? {} : { annotations }) },
    spec: { containers: [container], restartPolicy: restart === "" ? "Always" : restart, dnsPolicy: "ClusterFirst" },
    status: {},
  };
  return overridden(context, pod, "Pod");
}

/** The Service of --expose: the Pod's name, labels and port. */
export function serviceFromFlags(context: Context): JsonObject {
  const [name = ""] = context.args;
  const { flags } = context;
  const labels = flags.text("labels");
  return {
    kind: "Service",
    apiVersion: "v1",
    metadata: { name, ...(labels === "" ? {} : { labels: labelsFromText(labels) }) },
    spec: { ports: exposedPorts(flags.text("port"), "", new Map(), ""), selector: labelsOf(context, name) },
    status: { loadBalancer: {} },
  };
}
