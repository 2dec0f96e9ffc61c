// What controllers log of each pass with --v=4 and more, in the words and at the places of upstream's; it comes with the names of flags.

import { formatGoDuration } from "#cluster/api/duration.ts";

interface PassWords {
  readonly place: string;
  readonly message: string;
  /** Names of what stands behind the message. */
  readonly key: string;
  readonly took: string;
  readonly kind?: string;
}

const synced = (place: string, message: string, key: string, took: string, kind?: string): PassWords => ({
  place,
  message: `Finished ${message}`,
  key,
  took,
  ...(kind === undefined ? {} : { kind }),
});
const certificateRequest = synced("certificate_controller.go:183", "syncing certificate request", "csr", "elapsedTime");

/** By controller; the others say nothing of their passes. */
const passWords: { readonly [controller: string]: PassWords } = {
  "certificatesigningrequest-approving-controller": certificateRequest,
  "certificatesigningrequest-signing-controller": certificateRequest,
  "daemonset-controller": synced("daemon_controller.go:1272", "syncing daemon set", "daemonset", "time"),
  "deployment-controller": synced("deployment_controller.go:600", "syncing deployment", "deployment", "duration"),
  "disruption-controller": synced("disruption.go:700", "syncing PodDisruptionBudget", "key", "duration"),
  "endpoints-controller": synced("endpoints_controller.go:356", "syncing service endpoints", "service", "startTime"),
  "endpointslice-controller": synced("endpointslice_controller.go:371", "syncing service endpoint slices", "key", "elapsedTime"),
  "endpointslice-mirroring-controller": synced(
    "endpointslicemirroring_controller.go:294",
    "syncing EndpointSlices for Endpoints",
    "key",
    "elapsedTime",
  ),
  "job-controller": synced("job_controller.go:915", "syncing job", "key", "elapsed"),
  "namespace-controller": synced("namespace_controller.go:182", "syncing namespace", "namespace", "duration"),
  "persistentvolume-protection-controller": synced("pv_protection_controller.go:134", "processing PV", "PV", "cost"),
  "persistentvolumeclaim-protection-controller": synced("pvc_protection_controller.go:251", "processing PVC", "PVC", "duration"),
  "replicaset-controller": synced("replica_set.go:759", "syncing", "key", "duration", "ReplicaSet"),
  "replicationcontroller-controller": synced("replica_set.go:759", "syncing", "key", "duration", "ReplicationController"),
  "resourcequota-controller": synced("resource_quota_controller.go:347", "syncing resource quota", "key", "duration"),
  "root-ca-certificate-publisher-controller": synced("publisher.go:193", "syncing namespace", "namespace", "elapsedTime"),
  "serviceaccount-controller": synced("serviceaccounts_controller.go:195", "syncing namespace", "namespace", "duration"),
  "statefulset-controller": synced("stateful_set.go:528", "syncing statefulset", "key", "time"),
  "token-cleaner-controller": synced("tokencleaner.go:173", "syncing secret", "secret", "elapsedTime"),
};

/** Logs a pass that took so long. */
export function logPass(log: (place: string, message: string) => void, controller: string, key: string, tookMs: number): void {
  const found = passWords[controller];
  if (found === undefined) return;
  const { place, message, kind, key: keyName, took } = found;
  const kindPart = kind === undefined ? "" : ` kind="${kind}"`;
  log(place, `"${message}" logger="${controller}"${kindPart} ${keyName}="${key}" ${took}="${formatGoDuration(tookMs)}"`);
}
