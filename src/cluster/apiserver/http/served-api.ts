// The API server as its HTTP handlers see it: what answers requests, without how it is put together (`../server.ts`).

import type { Docs } from "#cluster/api/openapi/dialect.ts";
import type { UserInfo } from "#cluster/client/client.ts";
import type { ResourceDefinition } from "#cluster/resources/definition.ts";
import type { Registry } from "#cluster/resources/registry.ts";
import type { EtcdConnection } from "#cluster/storage/etcd-connection.ts";
import type { Store } from "#cluster/storage/store.ts";
import type { NetworkStack } from "#sim/net.ts";
import type { Random } from "#sim/random.ts";
import type { Simulation } from "#sim/simulation.ts";
import type { ApiServices } from "../aggregation/api-services.ts";
import type { RemoteServers } from "../aggregation/remote-servers.ts";
import type { AuditLog } from "../audit.ts";
import type { Authenticator } from "../authentication.ts";
import type { Authorizer } from "../authorization/authorizer.ts";
import type { FlowControl } from "../flow-control.ts";
import type { KubeletGateway } from "../kubelet-gateway.ts";
import type { PeerEndpoints } from "../peers/peer-endpoints.ts";
import type { Peers } from "../peers/peers.ts";
import type { Pipeline } from "../pipeline.ts";
import type { RuntimeConfig } from "../runtime-config.ts";
import type { RequestInfo } from "./request-info.ts";

export interface ServedApi {
  /** False between a stop and the next start: nothing is answered. */
  readonly running: boolean;
  readonly simulation: Simulation;
  /** When the server began to answer. */
  readonly startedMs: number;
  /** The server's own stream of chance. */
  readonly random: Random;
  readonly store: Store;
  readonly etcd: EtcdConnection;
  readonly registry: Registry;
  /** The kinds that are answered for, in the order of discovery. */
  readonly served: readonly ResourceDefinition[];
  readonly runtimeConfig: RuntimeConfig;
  readonly pipeline: Pipeline;
  readonly authenticator: Authenticator;
  readonly authorizer: Authorizer;
  readonly flowControl: FlowControl;
  /** Deprecated kinds that were asked for, each as the labels of its metric. */
  readonly deprecatedUses: Set<string>;
  readonly audit: AuditLog;
  readonly apiServices: ApiServices;
  readonly remoteServers: RemoteServers;
  /** The other API servers of the cluster, where requests go on to them. */
  readonly peers: Peers | undefined;
  /** Where each of them is. */
  readonly peerEndpoints: PeerEndpoints;
  /** What this one is called among them. */
  readonly serverId: string;
  /** How to end each open watch, with what it watches. */
  readonly openWatches: Map<() => void, ResourceDefinition>;
  /** The way to kubelets; without it their subresources fail. */
  readonly gateway: KubeletGateway | undefined;
  /** The network of the server's host, for the proxy subresources; without it they answer 500. */
  readonly network: NetworkStack | undefined;
  /** Field documentation for OpenAPI. */
  readonly docs: Docs;
  /** Its command line, the program's name first. */
  readonly argv: readonly string[];
  /** `172.18.0.2:6443` */
  readonly advertisedAddress: string;
  /** The Audit-Id of the next reply. */
  nextAuditId(): string;
  /** Those of the given checks of /healthz, /livez and /readyz that do not hold. */
  failing(checks: readonly string[]): readonly string[];
  /** By what the path says alone, whether or not there is such a resource. Throws Forbidden. */
  authorize(user: UserInfo, info: RequestInfo): void;
}
