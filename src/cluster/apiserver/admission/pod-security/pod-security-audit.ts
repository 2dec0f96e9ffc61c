// What PodSecurity tells the audit log.

import type { AdmissionAttributes } from "../chain.ts";
import type { Policy } from "./pod-security-levels.ts";

export const annotationPrefix = "pod-security.kubernetes.io/";

export function notePrivileged({ audit }: AdmissionAttributes): void {
  audit?.annotate(`${annotationPrefix}enforce-policy`, "privileged:latest");
}

/** Whether violations of the level to audit are to be noted. */
export function isAudited({ audit }: AdmissionAttributes, policy: Policy): boolean {
  return audit !== undefined && policy.audit.level !== "privileged";
}
