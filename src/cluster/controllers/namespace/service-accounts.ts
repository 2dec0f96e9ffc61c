// Gives each namespace its account `default` (pkg/controller/serviceaccount).

import type { Namespace, ServiceAccount } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import { isReason } from "#cluster/client/retry.ts";
import type { ControllerDefinition } from "../context.ts";
import { watchRule } from "../controller.ts";

const accountName = "default";

export const serviceAccountController: ControllerDefinition = {
  name: "serviceaccount-controller",
  serviceAccount: "service-account-controller",
  create({ client, informers }) {
    const namespaces = informers.informer(kinds.namespaces);
    const accounts = informers.informer(kinds.serviceAccounts);
    return {
      name: "serviceaccount-controller",
      watches: [
        watchRule<Namespace>({
          resource: kinds.namespaces,
          keys: (namespace, _previous, deleted) => (deleted ? [] : [namespace.metadata.name]),
        }),
        watchRule<ServiceAccount>({
          resource: kinds.serviceAccounts,
          keys: ({ metadata }, _previous, deleted) => (deleted && metadata.name === accountName ? [metadata.namespace ?? ""] : []),
        }),
      ],
      reconcile(namespace) {
        const phase = namespaces.get(namespace)?.status?.phase ?? "Active";
        if (
          namespaces.get(namespace) === undefined ||
          phase !== "Active" ||
          accounts.get(`${namespace}/${accountName}`) !== undefined
        )
          return undefined;
        try {
          client.create(kinds.serviceAccounts, { metadata: { namespace, name: accountName } });
        } catch (error) {
          if (!isReason(error, "AlreadyExists")) throw error;
        }
        return undefined;
      },
    };
  },
};
