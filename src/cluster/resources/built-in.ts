// Every built-in kind that is served. Discovery orders them itself.

import * as kinds from "#cluster/api/kinds.ts";
import { apiServices } from "./apiregistration/apiservices.ts";
import { controllerRevisions } from "./apps/controllerrevisions.ts";
import { daemonSets } from "./apps/daemonsets.ts";
import { deployments } from "./apps/deployments.ts";
import { replicaSets } from "./apps/replicasets.ts";
import { selfSubjectReviews } from "./authentication/selfsubjectreviews.ts";
import { tokenReviews } from "./authentication/tokenreviews.ts";
import { localSubjectAccessReviews } from "./authorization/localsubjectaccessreviews.ts";
import { selfSubjectAccessReviews } from "./authorization/selfsubjectaccessreviews.ts";
import { selfSubjectRulesReviews } from "./authorization/selfsubjectrulesreviews.ts";
import { subjectAccessReviews } from "./authorization/subjectaccessreviews.ts";
import { leases } from "./coordination/leases.ts";
import { componentStatuses } from "./core/componentstatuses.ts";
import { configMaps } from "./core/data/configmaps.ts";
import { secrets } from "./core/data/secrets.ts";
import { events } from "./core/events/events.ts";
import { namespaces } from "./core/namespaces.ts";
import { nodes } from "./core/nodes/nodes.ts";
import { bindings } from "./core/pods/bindings.ts";
import { pods } from "./core/pods/pods.ts";
import { serviceAccounts } from "./core/serviceaccounts.ts";
import { endpoints } from "./core/services/endpoints.ts";
import { services } from "./core/services/services.ts";
import type { ResourceDefinition } from "./definition.ts";
import { endpointSlices } from "./discovery/endpointslices.ts";
import { eventsV1 } from "./events/events.ts";
import { earlyFlowSchemas, earlyPriorityLevels } from "./flowcontrol/early-flowcontrol.ts";
import { lateKind } from "./late-kinds.ts";
import { earlyServiceCidrs } from "./networking/early-servicecidrs.ts";
import { clusterRoleBindings } from "./rbac/clusterrolebindings.ts";
import { clusterRoles } from "./rbac/clusterroles.ts";
import { roleBindings } from "./rbac/rolebindings.ts";
import { roles } from "./rbac/roles.ts";
import { priorityClasses } from "./scheduling/priorityclasses.ts";
import { storageClasses } from "./storage/storageclasses.ts";

export const builtInResources: readonly ResourceDefinition[] = [
  configMaps,
  endpoints,
  events,
  namespaces,
  nodes,
  pods,
  secrets,
  serviceAccounts,
  services,
  controllerRevisions,
  deployments,
  replicaSets,
  leases,
  endpointSlices,
  eventsV1,
  lateKind(kinds.persistentVolumeClaims),
  lateKind(kinds.persistentVolumes),
  lateKind(kinds.limitRanges),
  lateKind(kinds.resourceQuotas),
  daemonSets,
  lateKind(kinds.statefulSets),
  lateKind(kinds.jobs),
  lateKind(kinds.cronJobs),
  lateKind(kinds.horizontalPodAutoscalers),
  lateKind(kinds.horizontalPodAutoscalersV1, "horizontalpodautoscalers.autoscaling"),
  lateKind(kinds.replicationControllers),
  lateKind(kinds.podTemplates),
  lateKind(kinds.podDisruptionBudgets),
  priorityClasses,
  storageClasses,
  roles,
  clusterRoles,
  roleBindings,
  clusterRoleBindings,
  lateKind(kinds.certificateSigningRequests),
  lateKind(kinds.ingressClasses),
  lateKind(kinds.ingresses),
  lateKind(kinds.ipAddresses),
  lateKind(kinds.networkPolicies),
  lateKind(kinds.serviceCidrs, undefined, earlyServiceCidrs),
  lateKind(kinds.volumeAttributesClasses),
  lateKind(kinds.volumeAttributesClassesV1beta1, "volumeattributesclasses.storage.k8s.io"),
  lateKind(kinds.volumeAttachments),
  lateKind(kinds.csiDrivers),
  lateKind(kinds.csiNodes),
  lateKind(kinds.csiStorageCapacities),
  lateKind(kinds.runtimeClasses),
  lateKind(kinds.resourceClaims),
  lateKind(kinds.resourceClaimTemplates),
  lateKind(kinds.deviceClasses),
  lateKind(kinds.resourceSlices),
  componentStatuses,
  bindings,
  lateKind(kinds.customResourceDefinitions),
  apiServices,
  lateKind(kinds.flowSchemas, undefined, earlyFlowSchemas),
  lateKind(kinds.priorityLevelConfigurations, undefined, earlyPriorityLevels),
  lateKind(kinds.mutatingWebhookConfigurations),
  lateKind(kinds.validatingWebhookConfigurations),
  lateKind(kinds.validatingAdmissionPolicies),
  lateKind(kinds.validatingAdmissionPolicyBindings),
  lateKind(kinds.mutatingAdmissionPolicies),
  lateKind(kinds.mutatingAdmissionPolicyBindings),
  tokenReviews,
  selfSubjectReviews,
  subjectAccessReviews,
  selfSubjectAccessReviews,
  localSubjectAccessReviews,
  selfSubjectRulesReviews,
];
