// All that `late-passes.ts` stands for.

export { typeWarnings } from "./admission/type-checking.ts";
export { approvalsFor, approve, isAllowed } from "./certificates/approving-pass.ts";
export { signRequest } from "./certificates/signing-pass.ts";
export { CronJobPass } from "./cronjob/cronjob-pass.ts";
export { planSurge, surplusOfSurge } from "./daemonset/surge.ts";
export { DisruptionPass } from "./disruption/disruption-pass.ts";
export { nodesNotFound } from "./endpoints/lost-pods.ts";
export { mirrorEndpoints } from "./endpoints/mirror-pass.ts";
export { byPorts, withinCapacity } from "./endpoints/subsets.ts";
export { TopologyHints } from "./endpoints/topology-hints.ts";
export { withHints } from "./endpoints/traffic-distribution.ts";
export { claimKeys, makeClaims } from "./ephemeral-volume/template-claims.ts";
export { JobPass } from "./job/job-pass.ts";
export { NamespacePass } from "./namespace/namespace-pass.ts";
export { firstToGo } from "./nodes/ended-pods.ts";
export { AutoscalerRounds } from "./podautoscaler/autoscaler-rounds.ts";
export { rankForDeletion } from "./replicaset/ranking.ts";
export { counts, customCounted, frees, usedOf } from "./resource-quota/quota-count.ts";
export { leave } from "./service-ranges/leaving.ts";
export { SetPass } from "./statefulset/set-pass.ts";
export { BindingPass } from "./volume-binding/binding-pass.ts";
export { classesOfClaim, classesOfVolume, noLongerNamedBy, noLongerNamedOf } from "./volume-protection/attributes-classes.ts";
