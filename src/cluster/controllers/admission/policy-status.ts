// Says in a ValidatingAdmissionPolicy's status that its expressions have been looked at (pkg/controller/validatingadmissionpolicystatus).
// and what their types tell of them (`type-checking.ts`).

import type { ValidatingAdmissionPolicy } from "#cluster/api/generated/types.ts";
import { validatingAdmissionPolicies } from "#cluster/api/kinds.ts";
import { isReason } from "#cluster/client/retry.ts";
import type { ControllerDefinition } from "../context.ts";
import { watchRule } from "../controller.ts";
import { latePasses } from "../late-passes.ts";

const name = "validatingadmissionpolicy-status-controller";

export const policyStatusController: ControllerDefinition = {
  name,
  serviceAccount: name,
  create({ client, informers }) {
    const policies = informers.informer(validatingAdmissionPolicies);
    return {
      name,
      watches: [
        watchRule<ValidatingAdmissionPolicy>({
          resource: validatingAdmissionPolicies,
          keys: ({ metadata }, _previous, deleted) => (deleted ? [] : [metadata.name]),
        }),
      ],
      reconcile(key) {
        const policy = policies.get(key);
        const { generation } = policy?.metadata ?? {};
        if (policy === undefined || generation === undefined || policy.status?.observedGeneration === generation) return undefined;
        try {
          const expressionWarnings = latePasses.code.typeWarnings(policy);
          const typeChecking = expressionWarnings.length === 0 ? {} : { expressionWarnings };
          const status = { ...policy.status, observedGeneration: generation, typeChecking };
          client.updateStatus(validatingAdmissionPolicies, { ...policy, status });
        } catch (error) {
          if (!isReason(error, "NotFound")) throw error;
        }
        return undefined;
      },
    };
  },
};
