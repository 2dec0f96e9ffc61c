// What is used of flow control's kinds from the start: the API server writes the suggested objects of both.

import type {
  FlowSchema,
  LimitedPriorityLevelConfiguration,
  LimitResponse,
  PriorityLevelConfiguration,
  QueuingConfiguration,
} from "#cluster/api/generated/types.ts";
import type { KubeObject } from "#cluster/api/objects.ts";
import type { Typed } from "../definition.ts";
import { changed, filled, withoutZero } from "../filling.ts";
import { subdomainName } from "../name-rules.ts";
import { specAndStatus } from "../strategy.ts";

const both = { ...specAndStatus, nameRule: subdomainName, generationFields: ["spec"], defaultedFields: ["spec"] } as const;

export const earlyFlowSchemas = {
  ...both,
  defaults: (schema: Typed<FlowSchema> & KubeObject) =>
    changed(schema, "spec", (spec) => filled(withoutZero(spec, "matchingPrecedence"), { matchingPrecedence: 1000 })),
  subresources: [{ name: "status", kind: "FlowSchema", verbs: ["get", "patch", "update"] }],
};

export const earlyPriorityLevels = {
  ...both,
  defaults: (level: Typed<PriorityLevelConfiguration> & KubeObject) =>
    changed(level, "spec", (spec) => {
      const exempt = changed(spec, "exempt", (value) => filled(value, { nominalConcurrencyShares: 0, lendablePercent: 0 }));
      return changed(exempt, "limited", limitedDefaults);
    }),
  subresources: [{ name: "status", kind: "PriorityLevelConfiguration", verbs: ["get", "patch", "update"] }],
};

function limitedDefaults(limited: LimitedPriorityLevelConfiguration): LimitedPriorityLevelConfiguration {
  const complete = filled(limited, { nominalConcurrencyShares: 30, lendablePercent: 0 });
  return changed(complete, "limitResponse", (response: LimitResponse) =>
    changed(response, "queuing", (queuing: QueuingConfiguration) =>
      filled(withoutZero(queuing, "handSize", "queues", "queueLengthLimit"), { handSize: 8, queues: 64, queueLengthLimit: 50 }),
    ),
  );
}
