// kubectl create service clusterip|nodeport|loadbalancer|externalname

import { dns1123SubdomainReasons, portNameReasons } from "#cluster/api/names.ts";
import type { Command, Context } from "../../context.ts";
import type { JsonObject } from "../../documents.ts";
import { KubectlError } from "../../errors.ts";
import { requireFlags } from "../../resources/writing.ts";
import { createObject, metadataFor, nameArgument } from "./create-generated.ts";

type ServiceType = "ClusterIP" | "NodePort" | "LoadBalancer" | "ExternalName";

function serviceCommand(word: string, type: ServiceType): Command {
  return {
    path: `create service ${word}`,
    *run(context) {
      const { flags } = context;
      if (type === "ExternalName") requireFlags(context, "external-name");
      const name = nameArgument(context);
      const clusterIp = flags.has("clusterip") ? flags.text("clusterip") : "";
      const pairs = flags.list("tcp");
      if (clusterIp !== "None" && pairs.length === 0 && type !== "ExternalName") {
        throw new KubectlError("at least one tcp port specifier must be provided");
      }
      const externalName = flags.has("external-name") ? flags.text("external-name") : "";
      if (type === "ExternalName" && dns1123SubdomainReasons(externalName).length > 0)
        throw new KubectlError(`invalid service external name ${externalName}`);
      const ports = pairs.map((pair) => portOf(context, pair));
      const service: JsonObject = {
        kind: "Service",
        apiVersion: "v1",
        metadata: metadataFor(context, name, { app: name }),
        spec: {
          ...(ports.length === 0 ? {} : { ports }),
          selector: { app: name },
          ...(clusterIp === "" ? {} : { clusterIP: clusterIp }),
          type,
          ...(externalName === "" ? {} : { externalName }),
        },
        status: { loadBalancer: {} },
      };
      // --save-config is accepted, and forgotten, upstream.
      yield* createObject(context, service, `${type} service`, false);
    },
  };
}

/** `80:8080`, `80` or `80:http`. */
function portOf(context: Context, pair: string): JsonObject {
  const [portText = "", targetText] = pair.split(":");
  const port = Number(portText);
  if (!/^\d+$/.test(portText)) throw new KubectlError(`strconv.ParseUint: parsing ${JSON.stringify(portText)}: invalid syntax`);
  if (port < 1 || port > 65535) throw new KubectlError("invalid port number: must be between 1 and 65535, inclusive");
  const target = targetText ?? portText;
  if (!/^\d+$/.test(target)) {
    const [problem] = portNameReasons(target);
    if (problem !== undefined) throw new KubectlError(`the target port ${JSON.stringify(target)} is not valid: ${problem}`);
  }
  const nodePort = context.flags.has("node-port") ? context.flags.number("node-port") : 0;
  return {
    name: pair.replaceAll(":", "-"),
    protocol: "TCP",
    port,
    targetPort: /^\d+$/.test(target) ? Number(target) : target,
    ...(nodePort === 0 ? {} : { nodePort }),
  };
}

export const createServiceCommands: readonly Command[] = [
  serviceCommand("clusterip", "ClusterIP"),
  serviceCommand("nodeport", "NodePort"),
  serviceCommand("loadbalancer", "LoadBalancer"),
  serviceCommand("externalname", "ExternalName"),
];
