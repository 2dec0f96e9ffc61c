// kubectl create ingress NAME --rule=host/path=service:port[,tls[=secret]]

import type { Command } from "../../context.ts";
import type { JsonObject } from "../../documents.ts";
import { KubectlError } from "../../errors.ts";
import { createObject, metadataFor, nameArgument } from "./create-generated.ts";

const rulePattern = /^(?<host>[\w*\-.]*)(?<path>\/.*)=(?<service>[\w-]+):(?<port>[\w-]+)(?<tls>,tls=?(?<secret>[\w-]+)?)?/;

interface Rule {
  readonly host: string;
  readonly path: string;
  readonly backend: JsonObject;
  /** undefined: no TLS. */
  readonly secret: string | undefined;
}

function backendOf(service: string, port: string): JsonObject {
  return { service: { name: service, port: /^\d+$/.test(port) ? { number: Number(port) } : { name: port } } };
}

function ruleOf(text: string): Rule {
  const groups = rulePattern.exec(text)?.groups;
  if (groups === undefined)
    throw new KubectlError(`rule ${text} is invalid and should be in format host/path=svcname:svcport[,tls[=secret]]`);
  const { host = "", path = "", service = "", port = "", tls, secret = "" } = groups;
  return { host, path, backend: backendOf(service, port), secret: tls === undefined ? undefined : secret };
}

/** One entry a secret; a host stands in the first that names it. */
function tlsOf(rules: readonly Rule[]): readonly JsonObject[] {
  const entries: { secret: string; hosts: string[] }[] = [];
  const seen = new Set<string>();
  for (const { host, secret } of rules) {
    if (secret === undefined || seen.has(host)) continue;
    seen.add(host);
    const same = entries.find((entry) => entry.secret === secret);
    if (same !== undefined) same.hosts.push(host);
    else if (host !== "" || secret !== "") entries.push({ secret, hosts: host === "" ? [] : [host] });
  }
  return entries.map(({ secret, hosts }) => ({
    ...(hosts.length === 0 ? {} : { hosts }),
    ...(secret === "" ? {} : { secretName: secret }),
  }));
}

function pathsOf(rules: readonly Rule[]): readonly JsonObject[] {
  const byHost = Map.groupBy(rules, ({ host }) => host);
  return [...byHost].map(([host, own]) => {
    const paths = own.map(({ path, backend }) =>
      path.endsWith("*") ? { path: path.slice(0, -1), pathType: "Prefix", backend } : { path, pathType: "Exact", backend },
    );
    return { ...(host === "" ? {} : { host }), http: { paths } };
  });
}

export const createIngress: Command = {
  path: "create ingress",
  *run(context) {
    const { flags } = context;
    const name = nameArgument(context);
    const fallback = flags.text("default-backend");
    if (fallback === "" && flags.list("rule").length === 0) {
      throw new KubectlError(
        "not enough information provided: every ingress has to either specify a default-backend (which catches all traffic) or a list of rules (which catch specific paths)",
      );
    }
    const rules = flags.list("rule").map(ruleOf);
    const annotations = flags.list("annotation").map((text) => {
      const [key = "", value] = text.split(/=(.*)/s);
      if (value === undefined) throw new KubectlError(`annotation ${text} is invalid and should be in format key=[value]`);
      return [key, value] as const;
    });
    const [service = "", port, ...rest] = fallback.split(":");
    if (fallback !== "" && (port === undefined || rest.length > 0))
      throw new KubectlError("default-backend should be in format servicename:serviceport");
    const ingressClass = flags.text("class");
    const tls = tlsOf(rules);
    const paths = pathsOf(rules);
    const ingress: JsonObject = {
      kind: "Ingress",
      apiVersion: "networking.k8s.io/v1",
      metadata: {
        ...metadataFor(context, name),
        ...(annotations.length === 0 ? {} : { annotations: Object.fromEntries(annotations) }),
      },
      spec: {
        ...(ingressClass === "" ? {} : { ingressClassName: ingressClass }),
        ...(port === undefined ? {} : { defaultBackend: backendOf(service, port) }),
        ...(tls.length === 0 ? {} : { tls }),
        ...(paths.length === 0 ? {} : { rules: paths }),
      },
      status: { loadBalancer: {} },
    };
    yield* createObject(context, ingress, "ingress");
  },
};
