// What is wrong with a KubeProxyConfiguration (pkg/proxy/apis/config/validation).

import { formatGoDuration } from "#cluster/api/duration.ts";
import { aggregate, FieldFaults } from "#cluster/api/field-faults.ts";
import { isIpv6, parseCidr, parseIp } from "#cluster/api/ip-text.ts";
import { quote } from "#cluster/api/json-write.ts";
import type { WholeConfiguration } from "./configuration-fields.ts";

const root = "KubeProxyConfiguration";
const modes = ["iptables", "ipvs", "nftables"];
const localModes = ["ClusterCIDR", "NodeCIDR", "BridgeInterface", "InterfaceNamePrefix", ""];
const oneOrTwo = "must be a either a single CIDR or dual-stack pair of CIDRs (e.g. [10.100.0.0/16, fde4:8dba:82e1::/48]";

/** Undefined: nothing. */
export function faultOf(whole: WholeConfiguration): string | undefined {
  const faults = new FieldFaults();
  checkMode(faults, whole);
  checkLinux(faults, whole);
  if (!modes.includes(whole.mode)) {
    const words = `must be ${modes.join(", ")} or blank (blank means the best-available proxy [currently iptables])`;
    faults.invalid(`${root}.Mode.ProxyMode`, whole.mode, words);
  }
  if (whole.clientConnection.burst < 0)
    faults.invalid(`${root}.ClientConnection.Burst`, whole.clientConnection.burst, "must be greater than or equal to 0");
  checkPeriods(faults, whole);
  if (parseIp(whole.bindAddress) === undefined)
    faults.invalid(`${root}.BindAddress`, whole.bindAddress, "not a valid textual representation of an IP address");
  checkAddress(faults, `${root}.HealthzBindAddress`, whole.healthzBindAddress);
  checkAddress(faults, `${root}.MetricsBindAddress`, whole.metricsBindAddress);
  if (!isPortRange(whole.portRange))
    faults.invalid(`${root}.PortRange`, whole.portRange, "must be a valid port range (e.g. 300-2000)");
  checkNodePortAddresses(faults, whole.nodePortAddresses);
  checkLocalDetection(faults, whole);
  return aggregate(faults.messages);
}

function checkMode(faults: FieldFaults, { mode, iptables, nftables, ipvs }: WholeConfiguration): void {
  const bit = (path: string, { masqueradeBit }: { readonly masqueradeBit: number }): void => {
    if (masqueradeBit < 0 || masqueradeBit > 31) faults.invalid(path, masqueradeBit, "must be within the range [0, 31]");
  };
  bit(`${root}.KubeProxyIPTablesConfiguration.MasqueradeBit`, iptables);
  if (mode === "nftables") bit(`${root}.KubeProxyNFTablesConfiguration.MasqueradeBit`, nftables);
  if (mode !== "ipvs") return;
  const path = `${root}.KubeProxyIPVSConfiguration`;
  const { tcpTimeout: TCPTimeout, tcpFinTimeout: TCPFinTimeout, udpTimeout: UDPTimeout } = ipvs;
  checkNotNegative(faults, path, { TCPTimeout, TCPFinTimeout, UDPTimeout });
  for (const [index, range] of ipvs.excludeCIDRs.entries())
    if (parseCidr(range) === undefined) faults.invalid(`${path}.ExcludeCidrs[${index}]`, range, "must be a valid CIDR");
}

/** Durations are shown as the structs that they are. */
function checkNotNegative(faults: FieldFaults, path: string, durations: { readonly [name: string]: number }): void {
  for (const [name, ms] of Object.entries(durations))
    if (ms < 0) faults.invalid(`${path}.${name}`, formatGoDuration(ms), "must be greater than or equal to 0");
}

function checkLinux(faults: FieldFaults, { conntrack, oomScoreAdj }: WholeConfiguration): void {
  const path = `${root}.KubeProxyLinuxConfiguration`;
  const own = `${path}.KubeProxyConntrackConfiguration`;
  for (const [name, value] of [
    ["MaxPerCore", conntrack.maxPerCore],
    ["Min", conntrack.min],
  ] as const)
    if (value < 0) faults.invalid(`${own}.${name}`, value, "must be greater than or equal to 0");
  checkNotNegative(faults, own, {
    TCPEstablishedTimeout: conntrack.tcpEstablishedTimeout,
    TCPCloseWaitTimeout: conntrack.tcpCloseWaitTimeout,
    UDPTimeout: conntrack.udpTimeout,
    UDPStreamTimeout: conntrack.udpStreamTimeout,
  });
  if (oomScoreAdj < -1000 || oomScoreAdj > 1000)
    faults.invalid(`${path}.OOMScoreAdj`, oomScoreAdj, "must be within the range [-1000, 1000]");
}

function checkPeriods(faults: FieldFaults, whole: WholeConfiguration): void {
  const { syncPeriod, minSyncPeriod } = periodsOf(whole);
  const positive = (name: string, ms: number): void => {
    if (ms <= 0) faults.invalid(`${root}.${name}`, formatGoDuration(ms), "must be greater than 0");
  };
  positive("ConfigSyncPeriod", whole.configSyncPeriod);
  positive("SyncPeriod", syncPeriod);
  checkNotNegative(faults, root, { MinSyncPeriod: minSyncPeriod });
  if (minSyncPeriod > syncPeriod) {
    const words = `must be greater than or equal to ${root}.MinSyncPeriod`;
    faults.invalid(`${root}.SyncPeriod`, formatGoDuration(minSyncPeriod), words);
  }
}

/** Those of its mode. */
export function periodsOf(whole: WholeConfiguration): { readonly syncPeriod: number; readonly minSyncPeriod: number } {
  if (whole.mode === "ipvs") return whole.ipvs;
  return whole.mode === "nftables" ? whole.nftables : whole.iptables;
}

function checkAddress(faults: FieldFaults, path: string, address: string): void {
  const [, host, port] = /^(?:\[([^\]]*)\]|[^:]*):([^:]*)$/u.exec(address) ?? [];
  if (port === undefined) {
    faults.invalid(path, address, "must be IP:port");
    return;
  }
  const ip = host ?? address.slice(0, address.lastIndexOf(":"));
  if (parseIp(ip) === undefined) faults.invalid(path, ip, "must be a valid IP");
  const number = /^[+-]?\d+$/u.test(port) ? Number(port) : 0;
  if (number < 1 || number > 65_535) faults.invalid(path, port, "must be a valid port");
}

/** `300-2000`, `300+1700`, `300`; none is one too (apimachinery's ParsePortRange). */
function isPortRange(text: string): boolean {
  const [, first = "", sign, second] = /^(\d+)(?:([-+])(\d+))?$/u.exec(text.trim()) ?? [];
  if (text.trim() === "") return true;
  if (first === "" || Number(first) > 65_535) return false;
  if (second === undefined) return true;
  const end = sign === "+" ? Number(first) + Number(second) : Number(second);
  return end <= 65_535 && end >= Number(first);
}

function checkNodePortAddresses(faults: FieldFaults, addresses: readonly string[]): void {
  const path = `${root}.NodePortAddresses`;
  for (const [index, address] of addresses.entries()) {
    if (address === "primary") {
      if (addresses.length !== 1) faults.invalid(`${path}[${index}]`, address, "can't use both 'primary' and CIDRs");
      return;
    }
    if (parseCidr(address) === undefined) faults.invalid(`${path}[${index}]`, address, "must be a valid CIDR");
  }
}

function checkLocalDetection(faults: FieldFaults, { detectLocalMode, detectLocal, clusterCIDR }: WholeConfiguration): void {
  if (!localModes.includes(detectLocalMode)) faults.notSupported(`${root}.DetectLocalMode`, detectLocalMode, localModes);
  const path = `${root}.DetectLocalConfiguration`;
  const { bridgeInterface, interfaceNamePrefix } = detectLocal;
  if (detectLocalMode === "BridgeInterface" && bridgeInterface === "")
    faults.invalid(`${path}.InterfaceName`, bridgeInterface, "must not be empty");
  if (detectLocalMode === "InterfaceNamePrefix" && interfaceNamePrefix === "")
    faults.invalid(`${path}.InterfacePrefix`, interfaceNamePrefix, "must not be empty");
  if (detectLocalMode === "ClusterCIDR" && clusterCIDR !== "") checkRanges(faults, `${path}.ClusterCIDRs`, clusterCIDR.split(","));
}

function checkRanges(faults: FieldFaults, path: string, ranges: readonly string[]): void {
  const read = ranges.map(parseCidr);
  if (ranges.length > 2) {
    faults.messages.push(`${path}: Invalid value: [${ranges.map(quote).join(",")}]: ${oneOrTwo}`);
    return;
  }
  for (const [index, range] of ranges.entries())
    if (read[index] === undefined) {
      const words = "must be a valid CIDR block (e.g. 10.100.0.0/16 or fde4:8dba:82e1::/48)";
      faults.invalid(`${path}[${index}]`, range, words);
    }
  const [one, other] = read;
  if (one !== undefined && other !== undefined && isIpv6(one.address) === isIpv6(other.address))
    faults.messages.push(`${path}: Invalid value: [${ranges.map(quote).join(",")}]: ${oneOrTwo}`);
}
