// kubectl cluster-info.

import type { JsonValue } from "#cluster/api/wire.ts";
import type { Command, Context } from "../../context.ts";
import { arrayAt, textAt, valueAt } from "../../documents.ts";

function colored(context: Context, name: string, link: string): string {
  if (!context.self.isTty(1)) return `${name} is running at ${link}\n`;
  return `\u001b[0;32m${name}\u001b[0m is running at \u001b[0;33m${link}\u001b[0m\n`;
}

function linkOf(host: string, service: JsonValue): string {
  const [ingress] = arrayAt(service, "status", "loadBalancer", "ingress");
  const ports = arrayAt(service, "spec", "ports");
  if (ingress !== undefined) {
    const address = textAt(ingress, "ip") || textAt(ingress, "hostname");
    return ports.map((port) => `http://${address}:${String(valueAt(port, "port"))} `).join("");
  }
  const [port] = ports;
  let name = textAt(service, "metadata", "name");
  if (port !== undefined) {
    const portName = textAt(port, "name");
    const secure = portName === "https" || valueAt(port, "port") === 443;
    if (secure || portName !== "") name = `${secure ? "https:" : ""}${name}:${portName}`;
  }
  return `${host}/api/v1/namespaces/${textAt(service, "metadata", "namespace")}/services/${name}/proxy`;
}

export const clusterInfo: Command = {
  path: "cluster-info",
  *run(context) {
    const namespace = context.flags.text("namespace") || "kube-system";
    const client = context.client();
    const host = client.url("");
    const hint = "\nTo further debug and diagnose cluster problems, use 'kubectl cluster-info dump'.\n";
    try {
      yield* context.discovery().resources();
      const services = yield* client.json({
        method: "GET",
        path: `/api/v1/namespaces/${namespace}/services`,
        query: { labelSelector: "kubernetes.io/cluster-service=true" },
      });
      let text = colored(context, "Kubernetes control plane", host);
      for (const service of arrayAt(services, "items")) {
        const name = textAt(service, "metadata", "labels", "kubernetes.io/name") || textAt(service, "metadata", "name");
        text += colored(context, name, linkOf(host, service));
      }
      yield* context.out(text);
    } finally {
      yield* context.out(hint);
    }
  },
};
