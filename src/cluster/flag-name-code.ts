// Names of flags, so many that they come late (`late-flag-names.ts`): of etcd here, of the other components with their defaults (`zpages`).

import { type KnownFlags, words } from "./component-flags.ts";

export { runtimeConfigOf, unsimulatedVersions } from "./apiserver/runtime-config-flag.ts";
export { checkCloudProvider } from "./cloud/disabled-provider.ts";
export { evictionRatesOf } from "./controllers/nodes/eviction-flags.ts";
export { logPass } from "./controllers/pass-log.ts";
export { autoscalingOf } from "./controllers/podautoscaler/autoscaling-flags.ts";
export { tuningFlags, tuningOf } from "./controllers/tuning-flags.ts";
export { knownFlagsOf } from "./zpages/flag-values.ts";

export const ownEtcdFlags: KnownFlags = {
  names: words(`
  advertise-client-urls auth-token auth-token-ttl auto-compaction-mode auto-compaction-retention auto-tls backend-batch-interval
  backend-batch-limit backend-bbolt-freelist-type bcrypt-cost cert-file cipher-suites client-cert-allowed-hostname
  client-cert-auth client-cert-file client-crl-file client-key-file compaction-batch-limit compaction-sleep-interval config-file
  cors corrupt-check-time data-dir discovery discovery-cacert discovery-cert discovery-dial-timeout discovery-endpoints
  discovery-fallback discovery-insecure-skip-tls-verify discovery-insecure-transport discovery-keepalive-time
  discovery-keepalive-timeout discovery-key discovery-password discovery-proxy discovery-request-timeout discovery-srv
  discovery-srv-name discovery-token discovery-user distributed-tracing-address distributed-tracing-instance-id
  distributed-tracing-sampling-rate distributed-tracing-service-name downgrade-check-time election-timeout
  enable-distributed-tracing enable-grpc-gateway enable-log-rotation enable-pprof feature-gates force-new-cluster
  grpc-keepalive-interval grpc-keepalive-min-time grpc-keepalive-timeout heartbeat-interval host-whitelist
  initial-advertise-peer-urls initial-cluster initial-cluster-state initial-cluster-token initial-election-tick-advance key-file
  listen-client-http-urls listen-client-urls listen-metrics-urls listen-peer-urls local-address log-format log-level log-outputs
  log-rotation-config-json logger max-concurrent-streams max-learners max-request-bytes max-snapshots max-txn-ops max-wals
  memory-mlock metrics name peer-auto-tls peer-cert-allowed-cn peer-cert-allowed-hostname peer-cert-file peer-client-cert-auth
  peer-client-cert-file peer-client-key-file peer-crl-file peer-key-file peer-skip-client-san-verification peer-trusted-ca-file
  pre-vote quota-backend-bytes raft-read-timeout raft-write-timeout self-signed-cert-validity snapshot-catchup-entries
  snapshot-count socket-reuse-address socket-reuse-port strict-reconfig-check tls-max-version tls-min-version trusted-ca-file
  unsafe-no-fsync v2-deprecation version wal-dir warning-apply-duration warning-unary-request-duration
  watch-progress-notify-interval`),
  boolean: words(`
  auto-tls client-cert-auth discovery-insecure-skip-tls-verify discovery-insecure-transport enable-distributed-tracing
  enable-grpc-gateway enable-log-rotation enable-pprof force-new-cluster initial-election-tick-advance memory-mlock peer-auto-tls
  peer-client-cert-auth peer-skip-client-san-verification pre-vote socket-reuse-address socket-reuse-port strict-reconfig-check
  unsafe-no-fsync version`),
};
