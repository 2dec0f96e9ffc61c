// What etcd logs of itself: JSON lines of zap, for each the place that logs it upstream (etcd 3.6, raft 3.6). What stands here of raft is
// what etcd answers, too: the first member leads.

import { formatGoDuration } from "#cluster/api/duration.ts";
import { formatMicroTime } from "#cluster/api/time.ts";
import type { GivenFlags } from "#cluster/component-flags.ts";
import type { LogMoment } from "#cluster/images/log-line.ts";
import { clusterId, hexId, type Member, memberId } from "./members.ts";
import { etcdVersion, storageVersion } from "./versions.ts";

export interface EtcdFacts {
  readonly argv: readonly string[];
  readonly given: GivenFlags;
  readonly member: Member;
  readonly members: readonly Member[];
  /** It has data of an earlier start. */
  readonly isInitialized: boolean;
}

type Fields = { readonly [name: string]: unknown };

const raftTerm = 2;
const clusterVersion = storageVersion.slice(0, 3);
const build = { "git-sha": "d2809cf", "go-version": "go1.24.10", "go-os": "linux", "go-arch": "amd64" };

function line(
  { nowMs }: Pick<LogMoment, "nowMs">,
  level: "info" | "warn" | "fatal",
  caller: string,
  msg: string,
  fields: Fields = {},
): string {
  return `${JSON.stringify({ level, ts: formatMicroTime(nowMs), caller, msg, ...fields })}\n`;
}

function raftLine({ nowMs }: LogMoment, caller: string, msg: string): string {
  return `${JSON.stringify({ level: "info", ts: formatMicroTime(nowMs), logger: "raft", caller: `v3@v3.6.0/${caller}`, msg })}\n`;
}

/** As its flags say, with the defaults of those that are not given. */
function settingsOf({ given, member }: EtcdFacts) {
  const last = (flag: string, otherwise: string) => given.get(flag)?.at(-1) ?? otherwise;
  const urls = (flag: string, otherwise: string) => last(flag, otherwise).split(",");
  return {
    last,
    name: last("name", "default"),
    directory: last("data-dir", `${member.name}.etcd`),
    advertisedPeers: urls("initial-advertise-peer-urls", "http://localhost:2380"),
    peers: urls("listen-peer-urls", "http://localhost:2380"),
    advertisedClients: urls("advertise-client-urls", "http://localhost:2379"),
    clients: urls("listen-client-urls", "http://localhost:2379"),
    metrics: given.has("listen-metrics-urls") ? urls("listen-metrics-urls", "") : [],
  };
}

/** Why it does not start. */
export function failureLine(at: Pick<LogMoment, "nowMs">, error: string): string {
  return line(at, "fatal", "etcdmain/etcd.go:183", "discovery failed", { error });
}

export function idleFlagLine(at: LogMoment, flag: string): string {
  return line(at, "warn", "etcdmain/config.go:268", `${flag}: not simulated, has no effect`);
}

function beginLines(at: LogMoment, facts: EtcdFacts): string {
  const { directory } = settingsOf(facts);
  const singlePort = "Running http and grpc server on single port. This is not recommended for production.";
  const type = { "data-dir": directory, "dir-type": facts.isInitialized ? "member" : "empty" };
  return [
    line(at, "warn", "embed/config.go:1209", singlePort),
    line(at, "info", "etcdmain/etcd.go:64", "Running: ", { args: facts.argv }),
    facts.isInitialized
      ? line(at, "info", "etcdmain/etcd.go:107", "server has already been initialized", type)
      : line(at, "info", "etcdmain/etcd.go:124", "Initialize and start etcd server", type),
    line(at, "warn", "embed/config.go:1209", singlePort),
  ].join("");
}

/** Until clients are served. */
export function startLines(at: LogMoment, facts: EtcdFacts): string {
  return `${beginLines(at, facts)}${listenerLines(at, facts)}${memberLines(at, facts)}${servingLines(at, facts)}`;
}

function placesOf(facts: EtcdFacts): Fields {
  const { advertisedPeers, peers, advertisedClients, clients, metrics } = settingsOf(facts);
  return {
    "initial-advertise-peer-urls": advertisedPeers,
    "listen-peer-urls": peers,
    "advertise-client-urls": advertisedClients,
    "listen-client-urls": clients,
    "listen-metrics-urls": metrics,
  };
}

/** Its number, its leader's and its cluster's, as they are shown. */
function idsOf({ member, members }: EtcdFacts): { readonly own: string; readonly leader: string; readonly cluster: string } {
  const shown = (each: Member) => hexId(memberId(each));
  return { own: shown(member), leader: shown(members[0] ?? member), cluster: hexId(clusterId(members)) };
}

function listenerLines(at: LogMoment, facts: EtcdFacts): string {
  const info = (caller: string, msg: string, fields: Fields) => line(at, "info", caller, msg, fields);
  const { last, name, directory, advertisedPeers, peers, clients } = settingsOf(facts);
  return [
    info("embed/etcd.go:138", "configuring peer listeners", { "listen-peer-urls": peers }),
    info("embed/etcd.go:544", "starting with peer TLS", { "tls-info": peerTls(last), "cipher-suites": [] }),
    info("embed/etcd.go:146", "configuring client listeners", { "listen-client-urls": clients }),
    info("embed/etcd.go:323", "starting an etcd server", {
      "etcd-version": etcdVersion,
      ...build,
      "member-initialized": facts.isInitialized,
      name,
      "data-dir": directory,
      "member-dir": `${directory}/member`,
      "snapshot-count": Number(last("snapshot-count", "10000")),
      ...placesOf(facts),
      "initial-cluster": facts.isInitialized ? "" : last("initial-cluster", `${name}=${advertisedPeers[0]}`),
      "initial-cluster-state": last("initial-cluster-state", "new"),
      "initial-cluster-token": last("initial-cluster-token", "etcd-cluster"),
    }),
  ].join("");
}

function memberLines(at: LogMoment, facts: EtcdFacts): string {
  const info = (caller: string, msg: string, fields: Fields) => line(at, "info", caller, msg, fields);
  const { own, cluster } = idsOf(facts);
  const [local, ofCluster] = [{ "local-member-id": own }, { "cluster-id": cluster }];
  const version = { ...local, "local-server-version": etcdVersion };
  if (facts.isInitialized)
    return [
      info("etcdserver/bootstrap.go:599", "restarting local member", { ...ofCluster, ...local }),
      info("etcdserver/server.go:589", "starting etcd server", { ...version, ...ofCluster, "cluster-version": clusterVersion }),
    ].join("");
  const added = (each: Member) => ({
    ...ofCluster,
    ...local,
    "added-peer-id": hexId(memberId(each)),
    "added-peer-peer-urls": [`https://${each.address}:2380`],
    "added-peer-is-learner": false,
  });
  return [
    info("etcdserver/bootstrap.go:499", "starting local member", { ...local, ...ofCluster }),
    info("etcdserver/server.go:598", "starting etcd server", { ...version, "cluster-version": "to_be_decided" }),
    ...facts.members.map((each) => info("membership/cluster.go:424", "added member", added(each))),
  ].join("");
}

function servingLines(at: LogMoment, facts: EtcdFacts): string {
  const info = (caller: string, msg: string, fields: Fields = {}) => line(at, "info", caller, msg, fields);
  const { name, peers, metrics, clients, advertisedClients } = settingsOf(facts);
  const { own, leader, cluster } = idsOf(facts);
  const [local, ofCluster] = [{ "local-member-id": own }, { "cluster-id": cluster }];
  const initial = { ...ofCluster, ...local, "cluster-version": clusterVersion };
  return [
    info("embed/etcd.go:292", "now serving peer/client/metrics", { ...local, ...placesOf(facts) }),
    ...peers.map((url) => info("embed/etcd.go:640", "serving peer traffic", { address: hostOf(url) })),
    ...metrics.map((url) => info("embed/etcd.go:890", "serving metrics", { address: url })),
    ...(own === leader ? [raftLine(at, "raft.go:970", `${own} became leader at term ${raftTerm}`)] : []),
    raftLine(at, "node.go:370", `raft.node: ${own} elected leader ${leader} at term ${raftTerm}`),
    info("etcdserver/server.go:1820", "published local member to cluster through raft", {
      ...local,
      "local-member-attributes": `{Name:${name} ClientURLs:[${advertisedClients.join(" ")}]}`,
      ...ofCluster,
      "publish-timeout": "7s",
    }),
    ...(facts.isInitialized || own !== leader ? [] : [info("membership/cluster.go:682", "set initial cluster version", initial)]),
    ...clients.map(() => info("embed/serve.go:138", "ready to serve client requests")),
    ...clients.map((url) => {
      const traffic = { traffic: "grpc+http", address: hostOf(url) };
      return url.startsWith("https:")
        ? info("embed/serve.go:283", "serving client traffic securely", traffic)
        : info("embed/serve.go:220", "serving client traffic insecurely; this is strongly discouraged!", traffic);
    }),
  ].join("");
}

function peerTls(last: (flag: string, otherwise: string) => string): string {
  const parts = {
    cert: last("peer-cert-file", ""),
    key: last("peer-key-file", ""),
    "trusted-ca": last("peer-trusted-ca-file", ""),
    "client-cert-auth": last("peer-client-cert-auth", "false"),
  };
  const [cert, key, authority, auth] = Object.entries(parts).map(([name, value]) => `${name} = ${value}`);
  return `${cert}, ${key}, client-cert=, client-key=, ${authority}, ${auth}, crl-file = `;
}

/** The API server has it forget old revisions (mvcc/index.go, mvcc/kvstore_compaction.go). */
export function compactionLines(at: LogMoment, revision: number, forgotten: number): string {
  // Of a processor: the world's clock stands still for it.
  const took = formatGoDuration((800 + 2 * forgotten) / 1000);
  return [
    line(at, "info", "mvcc/index.go:194", "compact tree index", { revision }),
    line(at, "info", "mvcc/kvstore_compaction.go:70", "finished scheduled compaction", { "compact-revision": revision, took }),
  ].join("");
}

/** After TERM. */
export function endLines(at: LogMoment, facts: EtcdFacts): string {
  const info = (caller: string, msg: string, fields: Fields) => line(at, "info", caller, msg, fields);
  const { name, directory, advertisedPeers, advertisedClients, peers } = settingsOf(facts);
  const { own, leader } = idsOf(facts);
  const about = {
    name,
    "data-dir": directory,
    "advertise-peer-urls": advertisedPeers,
    "advertise-client-urls": advertisedClients,
  };
  const single = { "local-member-id": own, "current-leader-member-id": leader };
  return [
    info("osutil/interrupt_unix.go:65", "received signal; shutting down", { signal: "terminated" }),
    info("embed/etcd.go:426", "closing etcd server", about),
    ...(facts.members.length > 1
      ? []
      : [info("etcdserver/server.go:1297", "skipped leadership transfer for single voting member cluster", single)]),
    ...peers.flatMap((url) => [
      info("embed/etcd.go:621", "stopping serving peer traffic", { address: hostOf(url) }),
      info("embed/etcd.go:626", "stopped serving peer traffic", { address: hostOf(url) }),
    ]),
    info("embed/etcd.go:428", "closed etcd server", about),
  ].join("");
}

function hostOf(url: string): string {
  return url.slice(url.indexOf("://") + 3);
}
