// The ports of a Service that `kubectl expose` makes: given ones, or those that the object's containers (or ports) have.

import type { JsonValue } from "#cluster/api/wire.ts";
import { asciiLowerCase } from "#sim/ascii.ts";
import { arrayAt, type JsonObject, textAt, valueAt } from "../../documents.ts";
import { KubectlError } from "../../errors.ts";

/** Every port with its protocol, in order. */
function declaredPorts(object: JsonObject): readonly (readonly [port: string, protocol: string])[] {
  const read = (port: JsonValue, field: string) => [String(valueAt(port, field) ?? 0), textAt(port, "protocol") || "TCP"] as const;
  const kind = textAt(object, "kind");
  if (kind === "Service") return arrayAt(object, "spec", "ports").map((port) => read(port, "port"));
  const spec = kind === "Pod" ? valueAt(object, "spec") : valueAt(object, "spec", "template", "spec");
  return arrayAt(spec, "containers").flatMap((container) => arrayAt(container, "ports").map((port) => read(port, "containerPort")));
}

/** Port numbers, each once. */
export function portsOf(object: JsonObject): readonly string[] {
  return [...new Set(declaredPorts(object).map(([port]) => port))];
}

/** Protocols by port number. */
export function protocolsOf(object: JsonObject): ReadonlyMap<string, readonly string[]> {
  const result = new Map<string, readonly string[]>();
  for (const [port, protocol] of declaredPorts(object)) result.set(port, [...(result.get(port) ?? []), protocol]);
  return result;
}

/** The Service's ports; several get names. `portText` is a comma-separated list. Throws for what is no number. */
export function exposedPorts(
  portText: string,
  protocol: string,
  protocols: ReadonlyMap<string, readonly string[]>,
  targetPort: string,
): readonly JsonObject[] {
  if (portText === "") return [];
  const numbers = portText.split(",");
  return numbers.flatMap((text, index) => {
    const port = portNumber(text);
    const wanted = /^[+-]?\d+$/.test(targetPort) ? Number(targetPort) : targetPort;
    const target = wanted === "" ? port : wanted;
    const known = protocol === "" ? (protocols.get(text) ?? ["TCP"]) : [protocol];
    return known.map((one): JsonObject => {
      const rest = { protocol: one, port, targetPort: target };
      if (known.length > 1) return { name: `port-${index + 1}-${asciiLowerCase(one)}`, ...rest };
      return numbers.length > 1 ? { name: `port-${index + 1}`, ...rest } : rest;
    });
  });
}

function portNumber(text: string): number {
  if (!/^[+-]?\d+$/.test(text)) throw new KubectlError(`strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`);
  return Number(text);
}
