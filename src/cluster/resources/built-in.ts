// Every built-in kind that is served. Discovery orders them itself.

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
import { cronJobs } from "./batch/cronjobs.ts";
import { jobs } from "./batch/jobs.ts";
import { leases } from "./coordination/leases.ts";
import { configMaps } from "./core/configmaps.ts";
import { endpoints } from "./core/endpoints.ts";
import { events } from "./core/events.ts";
import { limitRanges } from "./core/limitranges.ts";
import { namespaces } from "./core/namespaces.ts";
import { nodes } from "./core/nodes.ts";
import { persistentVolumeClaims } from "./core/persistentvolumeclaims.ts";
import { persistentVolumes } from "./core/persistentvolumes.ts";
import { pods } from "./core/pods.ts";
import { resourceQuotas } from "./core/resourcequotas.ts";
import { secrets } from "./core/secrets.ts";
import { serviceAccounts } from "./core/serviceaccounts.ts";
import { services } from "./core/services.ts";
import type { ResourceDefinition } from "./definition.ts";
import { endpointSlices } from "./discovery/endpointslices.ts";
import { eventsV1 } from "./events/events.ts";
import { podDisruptionBudgets } from "./policy/poddisruptionbudgets.ts";
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
  persistentVolumeClaims,
  persistentVolumes,
  limitRanges,
  resourceQuotas,
  daemonSets,
  statefulSets,
  jobs,
  cronJobs,
  podDisruptionBudgets,
  priorityClasses,
  storageClasses,
  roles,
  clusterRoles,
  roleBindings,
  clusterRoleBindings,
  tokenReviews,
  selfSubjectReviews,
  subjectAccessReviews,
  selfSubjectAccessReviews,
  localSubjectAccessReviews,
  selfSubjectRulesReviews,
];
