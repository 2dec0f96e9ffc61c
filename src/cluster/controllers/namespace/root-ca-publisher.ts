// Publishes the cluster's CA certificate in each namespace as ConfigMap kube-root-ca.crt (pkg/controller/certificates/rootcacertpublisher).

import type { ConfigMap, Namespace } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import { isReason } from "#cluster/client/retry.ts";
import type { ControllerDefinition } from "../context.ts";
import { watchRule } from "../controller.ts";

const mapName = "kube-root-ca.crt";
const annotations = {
  "kubernetes.io/description":
    "Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.",
};

/** `certificate`: the CA bundle in PEM. */
export function rootCaPublisher(certificate: string): ControllerDefinition {
  const name = "root-ca-certificate-publisher-controller";
  return {
    name,
    serviceAccount: "root-ca-cert-publisher",
    create({ client, informers }) {
      const namespaces = informers.informer(kinds.namespaces);
      const maps = informers.informer(kinds.configMaps);
      const data = { "ca.crt": certificate };
      return {
        name,
        watches: [
          watchRule<Namespace>({
            resource: kinds.namespaces,
            keys: (namespace, previous, deleted) => (deleted || previous !== undefined ? [] : [namespace.metadata.name]),
          }),
          watchRule<ConfigMap>({
            resource: kinds.configMaps,
            keys: ({ metadata }) => (metadata.name === mapName ? [metadata.namespace ?? ""] : []),
          }),
        ],
        reconcile(namespace) {
          const owner = namespaces.get(namespace);
          if (owner === undefined || owner.status?.phase === "Terminating") return undefined;
          const existing = maps.get(`${namespace}/${mapName}`);
          if (existing === undefined) {
            try {
              client.create(kinds.configMaps, { metadata: { namespace, name: mapName, annotations }, data });
            } catch (error) {
              if (!isReason(error, "AlreadyExists")) throw error;
            }
          } else if (existing.data?.["ca.crt"] !== certificate || Object.keys(existing.data).length !== 1) {
            client.update(kinds.configMaps, { ...existing, data, metadata: { ...existing.metadata, annotations } });
          }
          return undefined;
        },
      };
    },
  };
}
