// The ClusterRoles that every API server has, those of controllers apart (bootstrappolicy/policy.go of v1.36, with the
// feature gates that are on by default).

import type { PolicyRule } from "#cluster/api/generated/types.ts";
import { on, onUrls, read, readWrite, write, writesEvents } from "./rules.ts";

export interface RoleRow {
  readonly name: string;
  readonly rules: readonly PolicyRule[];
  /** The roles that take this one's rules in: `view` for the label aggregate-to-view. */
  readonly aggregatesTo?: string;
  /** Its rules are those of the roles with this label; `rules` is empty then. */
  readonly aggregates?: string;
}

const certificates = "certificates.k8s.io";
const authentication = "authentication.k8s.io";
const authorization = "authorization.k8s.io";
const coordination = "coordination.k8s.io";
const storage = "storage.k8s.io";
const resource = "resource.k8s.io";

const reviewsTokens = on(authentication, "tokenreviews", "create");
const reviewsAccess = on(authorization, "subjectaccessreviews", "create");

/** What nodes may do; the node authorizer narrows most of it to the node's own objects. */
export const nodeRules: readonly PolicyRule[] = [
  reviewsTokens,
  on(authorization, "localsubjectaccessreviews subjectaccessreviews", "create"),
  on("core", "services", read),
  on("core", "nodes", "create get list watch"),
  on("core", "nodes/status", "patch update"),
  on("core", "nodes", "patch update"),
  on("core", "events", "create patch update"),
  on("core", "pods", read),
  on("core", "pods", "create delete"),
  on("core", "pods/status", "patch update"),
  on("core", "pods/eviction", "create"),
  on("core", "configmaps secrets", read),
  on("core", "persistentvolumeclaims persistentvolumes", "get"),
  on("core", "endpoints", "get"),
  on(certificates, "certificatesigningrequests", "create get list watch"),
  on(coordination, "leases", "create delete get patch update"),
  on(storage, "volumeattachments", "get"),
  on("core", "serviceaccounts/token", "create"),
  on("core", "persistentvolumeclaims/status", "get patch update"),
  on(storage, "csidrivers", read),
  on(storage, "csinodes", "create delete get patch update"),
  on("node.k8s.io", "runtimeclasses", read),
  on(resource, "resourceclaims", "get"),
  on(resource, "resourceslices", "deletecollection"),
  on("core", "serviceaccounts", "get"),
];

const editRules: readonly PolicyRule[] = [
  on("core", "pods/attach pods/exec pods/portforward pods/proxy secrets services/proxy", read),
  on("core", "serviceaccounts", "impersonate"),
  on("core", "pods pods/attach pods/exec pods/portforward pods/proxy", write),
  on("core", "pods/eviction", "create"),
  on(
    "core",
    "configmaps events persistentvolumeclaims replicationcontrollers replicationcontrollers/scale secrets serviceaccounts services services/proxy",
    write,
  ),
  on("core", "serviceaccounts/token", "create"),
  on(
    "apps",
    "daemonsets deployments deployments/rollback deployments/scale replicasets replicasets/scale statefulsets statefulsets/scale",
    write,
  ),
  on("autoscaling", "horizontalpodautoscalers", write),
  on("batch", "cronjobs jobs", write),
  on(
    "extensions",
    "daemonsets deployments deployments/rollback deployments/scale ingresses networkpolicies replicasets replicasets/scale replicationcontrollers/scale",
    write,
  ),
  on("policy", "poddisruptionbudgets", write),
  on("networking.k8s.io", "ingresses networkpolicies", write),
  on(coordination, "leases", readWrite),
  on(resource, "resourceclaims resourceclaimtemplates", write),
];

const viewRules: readonly PolicyRule[] = [
  on(
    "core",
    "configmaps endpoints persistentvolumeclaims persistentvolumeclaims/status pods replicationcontrollers replicationcontrollers/scale serviceaccounts services services/status",
    read,
  ),
  on(
    "core",
    "bindings events limitranges namespaces/status pods/log pods/status replicationcontrollers/status resourcequotas resourcequotas/status",
    read,
  ),
  on("core", "namespaces", read),
  on("discovery.k8s.io", "endpointslices", read),
  on(
    "apps",
    "controllerrevisions daemonsets daemonsets/status deployments deployments/scale deployments/status replicasets replicasets/scale replicasets/status statefulsets statefulsets/scale statefulsets/status",
    read,
  ),
  on("autoscaling", "horizontalpodautoscalers horizontalpodautoscalers/status", read),
  on("batch", "cronjobs cronjobs/status jobs jobs/status", read),
  on(
    "extensions",
    "daemonsets daemonsets/status deployments deployments/scale deployments/status ingresses ingresses/status networkpolicies replicasets replicasets/scale replicasets/status replicationcontrollers/scale",
    read,
  ),
  on("policy", "poddisruptionbudgets poddisruptionbudgets/status", read),
  on("networking.k8s.io", "ingresses ingresses/status networkpolicies", read),
  on(resource, "resourceclaims resourceclaims/status resourceclaimtemplates", read),
];

const schedulerRules: readonly PolicyRule[] = [
  writesEvents,
  on(coordination, "leases", "create"),
  on(coordination, "leases", "get list update watch", "kube-scheduler"),
  on(coordination, "leasecandidates", readWrite),
  on("core", "nodes", read),
  on("core", "pods", "delete get list watch"),
  on("core", "bindings pods/binding", "create"),
  on("core", "pods/status", "patch update"),
  on("core", "replicationcontrollers services", read),
  on("apps extensions", "replicasets", read),
  on("apps", "statefulsets", read),
  on("policy", "poddisruptionbudgets", read),
  on("core", "persistentvolumeclaims persistentvolumes", read),
  reviewsTokens,
  reviewsAccess,
  on(storage, "csinodes", read),
  on(storage, "volumeattachments", read),
  on("core", "namespaces", read),
  on(storage, "csidrivers", read),
  on(storage, "csistoragecapacities", read),
  on(resource, "deviceclasses", read),
  on(resource, "resourceclaims", "get list patch update watch"),
  on(resource, "resourceclaims/status", "get list patch update watch"),
  on(resource, "resourceclaims/binding", "patch update"),
  on("core", "pods/finalizers", "get list patch update watch"),
  on(resource, "resourceslices", read),
];

const controllerManagerRules: readonly PolicyRule[] = [
  writesEvents,
  on(coordination, "leases", "create"),
  on(coordination, "leases", "get update", "kube-controller-manager"),
  on("core", "secrets serviceaccounts", "create"),
  on("core", "secrets", "delete"),
  on("core", "configmaps namespaces secrets serviceaccounts", "get"),
  on("core", "secrets serviceaccounts", "update"),
  reviewsTokens,
  reviewsAccess,
  on("*", "*", "list watch"),
  on("core", "serviceaccounts/token", "create"),
];

/** Who may approve for a signer of kubernetes.io. */
function approver(signer: string): RoleRow {
  const name = `system:certificates.k8s.io:${signer}-approver`;
  return { name, rules: [on(certificates, "signers", "approve", `kubernetes.io/${signer}`)] };
}

export const clusterRoleRows: readonly RoleRow[] = [
  { name: "cluster-admin", rules: [on("*", "*", "*"), onUrls("*", "*")] },
  {
    name: "system:discovery",
    rules: [onUrls("/api /api/* /apis /apis/* /healthz /livez /openapi /openapi/* /readyz /version /version/", "get")],
  },
  {
    name: "system:monitoring",
    rules: [
      onUrls("/healthz /healthz/* /livez /livez/* /metrics /metrics/slis /readyz /readyz/*", "get"),
      onUrls("/flagz", "get"),
      onUrls("/statusz", "get"),
    ],
  },
  {
    name: "system:basic-user",
    rules: [
      on(authorization, "selfsubjectaccessreviews selfsubjectrulesreviews", "create"),
      on(authentication, "selfsubjectreviews", "create"),
    ],
  },
  { name: "system:public-info-viewer", rules: [onUrls("/healthz /livez /readyz /version /version/", "get")] },
  { name: "admin", rules: [], aggregates: "admin" },
  { name: "edit", rules: [], aggregates: "edit", aggregatesTo: "admin" },
  { name: "view", rules: [], aggregates: "view", aggregatesTo: "edit" },
  {
    name: "system:aggregate-to-admin",
    aggregatesTo: "admin",
    rules: [
      on(authorization, "localsubjectaccessreviews", "create"),
      on("rbac.authorization.k8s.io", "rolebindings roles", readWrite),
    ],
  },
  { name: "system:aggregate-to-edit", aggregatesTo: "edit", rules: editRules },
  { name: "system:aggregate-to-view", aggregatesTo: "view", rules: viewRules },
  { name: "system:heapster", rules: [on("core", "events namespaces nodes pods", read), on("extensions", "deployments", read)] },
  { name: "system:node", rules: nodeRules },
  {
    name: "system:node-problem-detector",
    rules: [on("core", "nodes", "get"), on("core", "nodes/status", "patch"), writesEvents],
  },
  {
    name: "system:kubelet-api-admin",
    rules: [
      on("core", "nodes", read),
      on("core", "nodes", "proxy"),
      on("core", "nodes/log nodes/metrics nodes/proxy nodes/stats", "*"),
      on("core", "nodes/configz nodes/healthz nodes/pods", "*"),
    ],
  },
  { name: "system:node-bootstrapper", rules: [on(certificates, "certificatesigningrequests", "create get list watch")] },
  { name: "system:auth-delegator", rules: [reviewsTokens, reviewsAccess] },
  { name: "system:kube-aggregator", rules: [on("core", "endpoints services", read)] },
  { name: "system:kube-controller-manager", rules: controllerManagerRules },
  { name: "system:kube-dns", rules: [on("core", "endpoints services", "list watch")] },
  {
    name: "system:persistent-volume-provisioner",
    rules: [
      on("core", "persistentvolumes", "create delete get list watch"),
      on("core", "persistentvolumeclaims", "get list update watch"),
      on(storage, "storageclasses", read),
      on("core", "events", "watch"),
      writesEvents,
    ],
  },
  {
    name: "system:certificates.k8s.io:certificatesigningrequests:nodeclient",
    rules: [on(certificates, "certificatesigningrequests/nodeclient", "create")],
  },
  {
    name: "system:certificates.k8s.io:certificatesigningrequests:selfnodeclient",
    rules: [on(certificates, "certificatesigningrequests/selfnodeclient", "create")],
  },
  {
    name: "system:volume-scheduler",
    rules: [
      on("core", "persistentvolumes", "get list patch update watch"),
      on(storage, "storageclasses", read),
      on("core", "persistentvolumeclaims", "get list patch update watch"),
    ],
  },
  approver("legacy-unknown"),
  approver("kubelet-serving"),
  approver("kube-apiserver-client"),
  approver("kube-apiserver-client-kubelet"),
  {
    name: "system:service-account-issuer-discovery",
    rules: [onUrls("/.well-known/openid-configuration /.well-known/openid-configuration/ /openid/v1/jwks /openid/v1/jwks/", "get")],
  },
  {
    name: "system:node-proxier",
    rules: [
      on("core", "endpoints services", "list watch"),
      on("core", "nodes", read),
      writesEvents,
      on("networking.k8s.io", "servicecidrs", "list watch"),
      on("discovery.k8s.io", "endpointslices", "list watch"),
    ],
  },
  { name: "system:kube-scheduler", rules: schedulerRules },
];
