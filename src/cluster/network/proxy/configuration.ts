// What a kube-proxy is told that kubeadm does not tell it: the file of --config (cmd/kube-proxy/app/options.go, apis/config/validation).
// A field that does nothing here is refused, unless it says what holds anyhow.

import { klogText } from "#cluster/api/klog.ts";
import { isList, isObject, type JsonObject, type JsonValue, jsonKind } from "#cluster/api/wire.ts";
import { parseYaml, YamlSyntaxError } from "#cluster/api/yaml-text.ts";
import { StartFailure } from "#cluster/images/system-images.ts";
import type { Process } from "#sim/program.ts";
import { isIpv4 } from "./node-port-addresses.ts";
import { usualConfiguration } from "./pages.ts";
import { type ProxySettings, usualSettings } from "./settings.ts";

const version = "kubeproxy.config.k8s.io/v1alpha1";
const scheme = 'in scheme "k8s.io/kubernetes/pkg/proxy/apis/config/scheme/scheme.go:30"';

/** `nodeAddress` is what `primary` stands for. Throws StartFailure with the last line of the log. */
export function readConfiguration(self: Process, path: string, nodeAddress: string, clusterCidr: string): ProxySettings {
  const fail = (words: string): never => {
    throw new StartFailure(klogText(self, "E", "run.go:72", `"command failed" err=${JSON.stringify(words)}`));
  };
  if (!self.exists(path)) return fail(`failed complete: open ${path}: no such file or directory`);
  const { document, duplicates } = parsed(self.readText(path), (words) => fail(`failed complete: ${words}`));
  const unknown: string[] = [];
  const usual = usualConfiguration({ nodeName: self.env.get("NODE_NAME") ?? self.hostname, clusterCidr, settings: usualSettings });
  compare(document, usual, "", {
    unknown: (field) => unknown.push(`unknown field ${JSON.stringify(field)}`),
    other: (field) => fail(`${path}: ${field}: not simulated`),
    wrongType: (field, type, value) => {
      const place = `Go struct field KubeProxyConfiguration.${field} of type ${type}`;
      fail(`failed complete: json: cannot unmarshal ${jsonKind(value)} into ${place}`);
    },
  });
  const { nodePortAddresses, iptables } = document as Partial<KnownFields>;
  const addresses = nodePortAddresses ?? [];
  const faults = faultsOf(addresses);
  if (faults.length > 0) fail(`failed validate: ${faults.length === 1 ? faults[0] : `[${faults.join(", ")}]`}`);
  return {
    nodePortAddresses: addresses[0] === "primary" ? [`${nodeAddress}/32`] : addresses,
    localhostNodePorts: iptables?.localhostNodePorts ?? true,
    loose: [...duplicates, ...unknown],
  };
}

interface KnownFields {
  readonly nodePortAddresses: readonly string[] | null;
  readonly iptables: { readonly localhostNodePorts?: boolean | null } | null;
}

function parsed(
  text: string,
  fail: (words: string) => never,
): { readonly document: JsonObject; readonly duplicates: readonly string[] } {
  const { value, duplicates } = yaml(text, fail);
  const document: JsonObject = isObject(value) ? value : {};
  const { kind = "", apiVersion = "" } = document;
  if (typeof kind !== "string" || kind === "") return fail(`Object 'Kind' is missing in '${text}'`);
  if (typeof apiVersion !== "string" || apiVersion === "") return fail(`Object 'apiVersion' is missing in '${text}'`);
  if (kind !== "KubeProxyConfiguration" || apiVersion !== version)
    return fail(`no kind "${kind}" is registered for version "${apiVersion}" ${scheme}`);
  return { document, duplicates };
}

function yaml(text: string, fail: (words: string) => never): ReturnType<typeof parseYaml> {
  try {
    return parseYaml(text);
  } catch (error) {
    if (error instanceof YamlSyntaxError) return fail(error.message);
    throw error;
  }
}

interface Findings {
  readonly unknown: (field: string) => void;
  readonly other: (field: string) => void;
  readonly wrongType: (field: string, type: string, value: JsonValue) => void;
}

/** Holds what is written against what would be if nothing were; null and zero values count as not said. */
function compare(given: JsonObject, usual: JsonObject, before: string, findings: Findings): void {
  for (const [name, value] of Object.entries(given)) {
    const field = before + name;
    const otherwise = usual[name];
    if (otherwise === undefined) findings.unknown(field);
    else if (value === null) continue;
    else if (field === "nodePortAddresses") {
      if (!isList(value) || value.some((each) => typeof each !== "string")) findings.wrongType(field, "[]string", value);
    } else if (field === "iptables.localhostNodePorts") {
      if (typeof value !== "boolean") findings.wrongType(field, "bool", value);
    } else if (isObject(otherwise)) {
      if (isObject(value)) compare(value, otherwise, `${field}.`, findings);
      else findings.other(field);
    } else if (value !== otherwise && value !== "" && value !== 0 && value !== "0s") findings.other(field);
  }
}

function faultsOf(addresses: readonly string[]): readonly string[] {
  return addresses.flatMap((each, index) => {
    const fault = (detail: string) => [
      `KubeProxyConfiguration.NodePortAddresses[${index}]: Invalid value: ${JSON.stringify(each)}: ${detail}`,
    ];
    if (each === "primary") return addresses.length === 1 ? [] : fault("can't use both 'primary' and CIDRs");
    return isRange(each) ? [] : fault("must be a valid CIDR");
  });
}

const byte = "(?:\\d|[1-9]\\d|1\\d\\d|2[0-4]\\d|25[0-5])";
const ipv4Range = new RegExp(`^${byte}(?:\\.${byte}){3}/(?:\\d|[12]\\d|3[0-2])$`, "u");
/** As much of IPv6 as decides whether a text is meant as such a range: its addresses exist on no node here. */
const ipv6Range = /^(?=.*:.*:)[\da-f:]+\/(?:\d{1,2}|1[01]\d|12[0-8])$/iu;

function isRange(text: string): boolean {
  return isIpv4(text) ? ipv4Range.test(text) : ipv6Range.test(text);
}
