// Every built-in kind that is served. Discovery orders them itself.

import { mutatingAdmissionPolicies } from "./admissionregistration/mutatingadmissionpolicies.ts";
import { mutatingAdmissionPolicyBindings } from "./admissionregistration/mutatingadmissionpolicybindings.ts";
import { mutatingWebhookConfigurations } from "./admissionregistration/mutatingwebhookconfigurations.ts";
import { validatingAdmissionPolicies } from "./admissionregistration/validatingadmissionpolicies.ts";
import { validatingAdmissionPolicyBindings } from "./admissionregistration/validatingadmissionpolicybindings.ts";
import { validatingWebhookConfigurations } from "./admissionregistration/validatingwebhookconfigurations.ts";
import { customResourceDefinitions } from "./apiextensions/customresourcedefinitions.ts";
import { apiServices } from "./apiregistration/apiservices.ts";
import { controllerRevisions } from "./apps/controllerrevisions.ts";
import { daemonSets } from "./apps/daemonsets.ts";
import { deployments } from "./apps/deployments.ts";
import { replicaSets } from "./apps/replicasets.ts";
import { statefulSets } from "./apps/statefulsets.ts";
import { selfSubjectReviews } from "./authentication/selfsubjectreviews.ts";
import { tokenReviews } from "./authentication/tokenreviews.ts";
import { localSubjectAccessReviews } from "./authorization/localsubjectaccessreviews.ts";
import { selfSubjectAccessReviews } from "./authorization/selfsubjectaccessreviews.ts";
import { selfSubjectRulesReviews } from "./authorization/selfsubjectrulesreviews.ts";
import { subjectAccessReviews } from "./authorization/subjectaccessreviews.ts";
import { horizontalPodAutoscalers, horizontalPodAutoscalersV1 } from "./autoscaling/horizontalpodautoscalers.ts";
import { cronJobs } from "./batch/cronjobs.ts";
import { jobs } from "./batch/jobs.ts";
import { certificateSigningRequests } from "./certificates/certificatesigningrequests.ts";
import { leases } from "./coordination/leases.ts";
import { bindings } from "./core/bindings.ts";
import { componentStatuses } from "./core/componentstatuses.ts";
import { configMaps } from "./core/configmaps.ts";
import { endpoints } from "./core/endpoints.ts";
import { events } from "./core/events.ts";
import { limitRanges } from "./core/limitranges.ts";
import { namespaces } from "./core/namespaces.ts";
import { nodes } from "./core/nodes.ts";
import { persistentVolumeClaims } from "./core/persistentvolumeclaims.ts";
import { persistentVolumes } from "./core/persistentvolumes.ts";
import { pods } from "./core/pods.ts";
import { podTemplates } from "./core/podtemplates.ts";
import { replicationControllers } from "./core/replicationcontrollers.ts";
import { resourceQuotas } from "./core/resourcequotas.ts";
import { secrets } from "./core/secrets.ts";
import { serviceAccounts } from "./core/serviceaccounts.ts";
import { services } from "./core/services.ts";
import type { ResourceDefinition } from "./definition.ts";
import { endpointSlices } from "./discovery/endpointslices.ts";
import { eventsV1 } from "./events/events.ts";
import { flowSchemas } from "./flowcontrol/flowschemas.ts";
import { priorityLevelConfigurations } from "./flowcontrol/prioritylevelconfigurations.ts";
import { ingressClasses } from "./networking/ingressclasses.ts";
import { ingresses } from "./networking/ingresses.ts";
import { ipAddresses } from "./networking/ipaddresses.ts";
import { networkPolicies } from "./networking/networkpolicies.ts";
import { serviceCidrs } from "./networking/servicecidrs.ts";
import { runtimeClasses } from "./node/runtimeclasses.ts";
import { podDisruptionBudgets } from "./policy/poddisruptionbudgets.ts";
import { clusterRoleBindings } from "./rbac/clusterrolebindings.ts";
import { clusterRoles } from "./rbac/clusterroles.ts";
import { roleBindings } from "./rbac/rolebindings.ts";
import { roles } from "./rbac/roles.ts";
import { deviceClasses } from "./resource/deviceclasses.ts";
import { resourceClaims } from "./resource/resourceclaims.ts";
import { resourceClaimTemplates } from "./resource/resourceclaimtemplates.ts";
import { resourceSlices } from "./resource/resourceslices.ts";
import { priorityClasses } from "./scheduling/priorityclasses.ts";
import { csiDrivers } from "./storage/csidrivers.ts";
import { csiNodes } from "./storage/csinodes.ts";
import { csiStorageCapacities } from "./storage/csistoragecapacities.ts";
import { storageClasses } from "./storage/storageclasses.ts";
import { volumeAttachments } from "./storage/volumeattachments.ts";
import { volumeAttributesClasses } from "./storage/volumeattributesclasses.ts";

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
  persistentVolumeClaims,
  persistentVolumes,
  limitRanges,
  resourceQuotas,
  daemonSets,
  statefulSets,
  jobs,
  cronJobs,
  horizontalPodAutoscalers,
  horizontalPodAutoscalersV1,
  replicationControllers,
  podTemplates,
  podDisruptionBudgets,
  priorityClasses,
  storageClasses,
  roles,
  clusterRoles,
  roleBindings,
  clusterRoleBindings,
  certificateSigningRequests,
  ingressClasses,
  ingresses,
  ipAddresses,
  networkPolicies,
  serviceCidrs,
  volumeAttributesClasses,
  volumeAttachments,
  csiDrivers,
  csiNodes,
  csiStorageCapacities,
  runtimeClasses,
  resourceClaims,
  resourceClaimTemplates,
  deviceClasses,
  resourceSlices,
  componentStatuses,
  bindings,
  customResourceDefinitions,
  apiServices,
  flowSchemas,
  priorityLevelConfigurations,
  mutatingWebhookConfigurations,
  validatingWebhookConfigurations,
  validatingAdmissionPolicies,
  validatingAdmissionPolicyBindings,
  mutatingAdmissionPolicies,
  mutatingAdmissionPolicyBindings,
  tokenReviews,
  selfSubjectReviews,
  subjectAccessReviews,
  selfSubjectAccessReviews,
  localSubjectAccessReviews,
  selfSubjectRulesReviews,
];
