// What authorizers are asked, and what they answer.

import type { RuleQuestion } from "#cluster/api/policy-rules.ts";
import type { UserInfo } from "#cluster/client/client.ts";

export interface ResourceAttributes extends RuleQuestion {
  readonly user: UserInfo;
  /** "" at the cluster scope. */
  readonly namespace: string;
  /** Of a list, watch or deletecollection. */
  readonly fieldSelector?: string | undefined;
}

export interface PathAttributes {
  readonly user: UserInfo;
  readonly verb: string;
  readonly path: string;
}

export interface Decision {
  readonly allowed: boolean;
  /** Why, in upstream's words; "" where upstream says nothing. */
  readonly reason: string;
}

export const silentlyAllowed: Decision = { allowed: true, reason: "" };
export const noOpinion: Decision = { allowed: false, reason: "" };
