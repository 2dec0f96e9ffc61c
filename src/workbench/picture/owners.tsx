// Deployments with their ReplicaSets, and Services, as a line of counts above the drawing. Pointing at one lights its pods.

import type { Signal } from "@preact/signals";
import type { ClusterView } from "#lab/session.ts";
import type { Translate } from "../../i18n/translator.ts";
import type { LetterOf } from "./letters.ts";

interface OwnersProps {
  readonly view: ClusterView;
  readonly letterOf: LetterOf;
  readonly highlighted: Signal<string>;
  readonly t: Translate;
}

/** More of them would push the drawing out of sight; the table has all. */
const mostShown = 8;

export function Owners({ view, letterOf, highlighted, t }: OwnersProps) {
  const deployments = view.deployments.filter(isLearners);
  const loose = view.replicaSets.filter((set) => set.deployment === "" && isLearners(set));
  const services = view.services.filter((service) => isLearners(service) && service.name !== "kubernetes");
  if (deployments.length + loose.length + services.length === 0) return null;
  const light = (namespace: string, name: string) => ({
    onPointerEnter: () => (highlighted.value = `${namespace}/${name}`),
    onPointerLeave: () => (highlighted.value = ""),
  });
  return (
    <ul class="owners">
      {deployments.slice(0, mostShown).map((deployment) => (
        <li
          key={`deployment/${deployment.namespace}/${deployment.name}`}
          class="owner"
          {...light(deployment.namespace, deployment.name)}
        >
          <span class="owner-kind">Deployment</span> <strong>{deployment.name}</strong>{" "}
          <Count ready={deployment.ready} desired={deployment.desired} />
          {view.replicaSets
            .filter(
              (set) =>
                set.deployment === deployment.name && set.namespace === deployment.namespace && (set.desired > 0 || set.ready > 0),
            )
            .map((set) => {
              const revision = set.name.slice(deployment.name.length + 1);
              const letter = letterOf({ namespace: set.namespace, ownerKind: "Deployment", ownerName: deployment.name, revision });
              return (
                <span key={set.name} class="revision" title={`ReplicaSet ${set.name}`}>
                  <span class="revision-letter" aria-label={t("workbench.picture.revision", { letter })} role="img">
                    {letter}
                  </span>
                  <Count ready={set.ready} desired={set.desired} />
                </span>
              );
            })}
        </li>
      ))}
      {loose.slice(0, mostShown).map((set) => (
        <li key={`set/${set.namespace}/${set.name}`} class="owner" {...light(set.namespace, set.name)}>
          <span class="owner-kind">ReplicaSet</span> <strong>{set.name}</strong> <Count ready={set.ready} desired={set.desired} />
        </li>
      ))}
      {services.slice(0, mostShown).map((service) => (
        <li
          key={`service/${service.namespace}/${service.name}`}
          class="owner service"
          title={`${service.type} ${service.clusterIp}`}
        >
          <span class="owner-kind">Service</span> <strong>{service.name}</strong>{" "}
          <span class="count" data-short={service.endpoints.length === 0}>
            → {service.endpoints.length}
          </span>
        </li>
      ))}
    </ul>
  );
}

function isLearners({ namespace }: { readonly namespace: string }): boolean {
  return namespace !== "kube-system";
}

function Count({ ready, desired }: { readonly ready: number; readonly desired: number }) {
  return (
    <span class="count" data-short={ready < desired}>
      {ready}/{desired}
    </span>
  );
}
