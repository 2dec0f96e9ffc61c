// All that `late-requests.ts` stands for.

export { applyJsonPatch, maxJsonPatchOperations } from "#cluster/api/patch/json-patch.ts";
export { writeYaml } from "#cluster/api/yaml-write.ts";
export { unsimulatedWarnings } from "#cluster/resources/unsimulated.ts";
export { requestedPlugins } from "./admission/requested-plugins.ts";
export { ask } from "./http/asking.ts";
export { serveDiscovery } from "./http/discovery.ts";
export { metricsText, sliText } from "./http/metrics.ts";
export { refuseWrite } from "./http/misplaced.ts";
export { serveResource } from "./http/resources.ts";
export { rootPaths } from "./http/root-paths.ts";
export { serveStatusz } from "./http/statusz.ts";
export { impersonate } from "./impersonation.ts";
export { evictPod } from "./subresources/eviction.ts";
export { applyConfiguration } from "./verbs/apply.ts";
export { deleteObject } from "./verbs/delete.ts";
export { deleteCollection } from "./verbs/delete-collection.ts";
export { patchedText } from "./verbs/patched-text.ts";
