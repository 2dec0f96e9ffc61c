// All that `late-requests.ts` stands for.

export { writeYaml } from "#cluster/api/yaml-write.ts";
export { unsimulatedWarnings } from "#cluster/resources/unsimulated.ts";
export { requestedPlugins } from "./admission/requested-plugins.ts";
export { remoteVersions } from "./aggregation/remote-discovery.ts";
export { repairAddress, repairAll, repairService } from "./allocation/repairs.ts";
export { frontProxiesOf, requestHeaderUser } from "./authentication/request-headers.ts";
export { requireHeldRights } from "./authorization/held-rights.ts";
export { requireValidReview, reviewRules, reviewSelf, withSelectorFaults } from "./client-reviews.ts";
export { ask } from "./http/asking.ts";
export { serveOtherPath } from "./http/other-paths.ts";
export { serveResource } from "./http/resources.ts";
export { impersonate } from "./impersonation.ts";
export { allocatedLine, beginLines, endLines, servingLines, unauthenticatedLine, webhookFailureLine } from "./log.ts";
export { evictPod } from "./subresources/eviction.ts";
export { applyConfiguration } from "./verbs/apply.ts";
export { deleteObject } from "./verbs/delete.ts";
export { deleteCollection } from "./verbs/delete-collection.ts";
export { jsonPatched, notMap, otherKindFault, unsupportedForKind } from "./verbs/patch-documents.ts";
export { patchedText } from "./verbs/patched-text.ts";
