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
        latePasses.code.typeWarnings(policy, client, (expressionWarnings) => {
          const typeChecking = expressionWarnings.length === 0 ? {} : { expressionWarnings };
          const status = { ...policy.status, observedGeneration: generation, typeChecking };
          try {
            client.updateStatus(validatingAdmissionPolicies, { ...policy, status });
          } catch (error) {
            // Another version of it is looked at by itself.
            if (!isReason(error, "NotFound") && !isReason(error, "Conflict")) throw error;
          }
        });
        return undefined;
      },
    };
  },
};
