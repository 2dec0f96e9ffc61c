// All that `late-audit.ts` stands for.

export { actingAuditFlags, logSettings } from "./audit/log-settings.ts";
export { openAudit } from "./audit/open.ts";
