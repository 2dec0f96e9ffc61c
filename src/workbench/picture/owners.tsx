// Deployments with their ReplicaSets as a line of counts above the drawing. Pointing at one lights its pods; choosing it
// opens the inspector.

import type { Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import type { ClusterView } from "#lab/session.ts";
import type { Desk } from "../desk.ts";
import type { Highlight } from "./highlight.ts";
import { isSystemNamespace } from "./layout.ts";
import type { LetterOf } from "./letters.ts";

interface OwnersProps {
  readonly desk: Desk;
  readonly view: ClusterView;
  readonly letterOf: LetterOf;
  readonly highlighted: Signal<Highlight>;
}

/** More of them would push the drawing out of sight; the table has all. */
const mostShown = 8;

export function Owners({ desk, view, letterOf, highlighted }: OwnersProps) {
  const deployments = view.deployments.filter(isLearners);
  const loose = view.replicaSets.filter((set) => set.deployment === "" && isLearners(set));
  if (deployments.length + loose.length === 0) return null;
  const common = { desk, highlighted };
  return (
    <ul class="owners">
      {deployments.slice(0, mostShown).map((deployment) => (
        <Owner key={keyOf("deployments", deployment)} {...common} resource="deployments.apps" owner={deployment}>
          <span class="owner-kind">Deployment</span> <strong>{deployment.name}</strong>{" "}
          <Count ready={deployment.ready} desired={deployment.desired} />
          <Revisions desk={desk} view={view} deployment={deployment} letterOf={letterOf} />
        </Owner>
      ))}
      {loose.slice(0, mostShown).map((set) => (
        <Owner key={keyOf("replicasets", set)} {...common} resource="replicasets.apps" owner={set}>
          <span class="owner-kind">ReplicaSet</span> <strong>{set.name}</strong> <Count ready={set.ready} desired={set.desired} />
        </Owner>
      ))}
    </ul>
  );
}

interface Named {
  readonly namespace: string;
  readonly name: string;
}

function keyOf(resource: string, { namespace, name }: Named): string {
  return `${resource}/${namespace}/${name}`;
}

interface OwnerProps {
  readonly desk: Desk;
  readonly highlighted: Signal<Highlight>;
  readonly resource: "deployments.apps" | "replicasets.apps";
  readonly owner: Named;
  readonly children: ComponentChildren;
}

function Owner({ desk, highlighted, resource, owner, children }: OwnerProps) {
  const { namespace, name } = owner;
  const light = (): void => {
    highlighted.value = { kind: "owner", namespace, name };
  };
  const dim = (): void => {
    highlighted.value = undefined;
  };
  return (
    <li>
      <button
        class="owner"
        type="button"
        onPointerEnter={light}
        onPointerLeave={dim}
        onFocus={light}
        onBlur={dim}
        onClick={() => desk.inspect({ resource, namespace, name })}
      >
        {children}
      </button>
    </li>
  );
}

interface RevisionsProps {
  readonly desk: Desk;
  readonly view: ClusterView;
  readonly deployment: Named;
  readonly letterOf: LetterOf;
}

function Revisions({ desk, view, deployment, letterOf }: RevisionsProps) {
  const sets = view.replicaSets.filter(
    (set) => set.deployment === deployment.name && set.namespace === deployment.namespace && (set.desired > 0 || set.ready > 0),
  );
  return sets.map((set) => {
    const revision = set.name.slice(deployment.name.length + 1);
    const letter = letterOf({ namespace: set.namespace, ownerKind: "Deployment", ownerName: deployment.name, revision });
    return (
      <span key={set.name} class="revision" title={`ReplicaSet ${set.name}`}>
        <span class="revision-letter" aria-label={desk.t("workbench.picture.revision", { letter })} role="img">
          {letter}
        </span>
        <Count ready={set.ready} desired={set.desired} />
      </span>
    );
  });
}

function isLearners({ namespace }: Named): boolean {
  return !isSystemNamespace(namespace);
}

function Count({ ready, desired }: { readonly ready: number; readonly desired: number }) {
  return (
    <span class="count" data-short={ready < desired}>
      {ready}/{desired}
    </span>
  );
}
