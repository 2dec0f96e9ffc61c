// All that `late-proxy.ts` stands for.

export { chosenPlaces } from "./chosen-places.ts";
export { readConfiguration } from "./configuration-reader.ts";
export { failedRestoreLines } from "./failed-restore.ts";
export { firewallRules } from "./firewall-rules.ts";
export { answerHealth, ServiceHealthServers } from "./health-answers.ts";
export { failedLine, startLines, syncedLines } from "./log.ts";
export { proxierFor } from "./other-proxiers.ts";
export { serveProxyPage } from "./pages.ts";
export { watchRules } from "./rule-watch.ts";
