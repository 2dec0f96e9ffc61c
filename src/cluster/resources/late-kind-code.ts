// The kinds that `late-kinds.ts` stands for.

import { mutatingAdmissionPolicies } from "./admissionregistration/mutatingadmissionpolicies.ts";
import { mutatingAdmissionPolicyBindings } from "./admissionregistration/mutatingadmissionpolicybindings.ts";
import { mutatingWebhookConfigurations } from "./admissionregistration/mutatingwebhookconfigurations.ts";
import { validatingAdmissionPolicies } from "./admissionregistration/validatingadmissionpolicies.ts";
import { validatingAdmissionPolicyBindings } from "./admissionregistration/validatingadmissionpolicybindings.ts";
import { validatingWebhookConfigurations } from "./admissionregistration/validatingwebhookconfigurations.ts";
import { customResourceDefinitions } from "./apiextensions/customresourcedefinitions.ts";
import { statefulSets } from "./apps/statefulsets.ts";
import { horizontalPodAutoscalers, horizontalPodAutoscalersV1 } from "./autoscaling/horizontalpodautoscalers.ts";
import { cronJobs } from "./batch/cronjobs.ts";
import { jobs } from "./batch/jobs.ts";
import { certificateSigningRequests } from "./certificates/certificatesigningrequests.ts";
import { limitRanges } from "./core/limits/limitranges.ts";
import { resourceQuotas } from "./core/limits/resourcequotas.ts";
import { podTemplates } from "./core/pods/podtemplates.ts";
import { replicationControllers } from "./core/replicationcontrollers.ts";
import { persistentVolumeClaims } from "./core/volumes/persistentvolumeclaims.ts";
import { persistentVolumes } from "./core/volumes/persistentvolumes.ts";
import type { ResourceDefinition } from "./definition.ts";
import { flowSchemas } from "./flowcontrol/flowschemas.ts";
import { priorityLevelConfigurations } from "./flowcontrol/prioritylevelconfigurations.ts";
import { ingressClasses } from "./networking/ingressclasses.ts";
import { ingresses } from "./networking/ingresses.ts";
import { ipAddresses } from "./networking/ipaddresses.ts";
import { networkPolicies } from "./networking/networkpolicies.ts";
import { serviceCidrs } from "./networking/servicecidrs.ts";
import { runtimeClasses } from "./node/runtimeclasses.ts";
import { podDisruptionBudgets } from "./policy/poddisruptionbudgets.ts";
import { deviceClasses } from "./resource/deviceclasses.ts";
import { resourceClaims } from "./resource/resourceclaims.ts";
import { resourceClaimTemplates } from "./resource/resourceclaimtemplates.ts";
import { resourceSlices } from "./resource/resourceslices.ts";
import { csiDrivers } from "./storage/csidrivers.ts";
import { csiNodes } from "./storage/csinodes.ts";
import { csiStorageCapacities } from "./storage/csistoragecapacities.ts";
import { volumeAttachments } from "./storage/volumeattachments.ts";
import { volumeAttributesClasses, volumeAttributesClassesV1beta1 } from "./storage/volumeattributesclasses.ts";

export const lateDefinitions: readonly ResourceDefinition[] = [
  mutatingAdmissionPolicies,
  mutatingAdmissionPolicyBindings,
  mutatingWebhookConfigurations,
  validatingAdmissionPolicies,
  validatingAdmissionPolicyBindings,
  validatingWebhookConfigurations,
  customResourceDefinitions,
  statefulSets,
  horizontalPodAutoscalers,
  horizontalPodAutoscalersV1,
  cronJobs,
  jobs,
  certificateSigningRequests,
  limitRanges,
  persistentVolumeClaims,
  persistentVolumes,
  podTemplates,
  replicationControllers,
  resourceQuotas,
  ingressClasses,
  ingresses,
  flowSchemas,
  priorityLevelConfigurations,
  ipAddresses,
  serviceCidrs,
  networkPolicies,
  runtimeClasses,
  podDisruptionBudgets,
  deviceClasses,
  resourceClaims,
  resourceClaimTemplates,
  resourceSlices,
  csiDrivers,
  csiNodes,
  csiStorageCapacities,
  volumeAttachments,
  volumeAttributesClasses,
  volumeAttributesClassesV1beta1,
];
