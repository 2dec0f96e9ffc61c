// Owners with their counts and revisions as a line of badges above the drawing: the key to the trays in it. Pointing at
// one lights its Pods; choosing it opens the inspector.

import type { Signal } from "@preact/signals";
import type { ClusterView } from "#lab/picture-view.ts";
import type { Desk } from "../desk.ts";
import type { Highlight } from "./highlight.ts";
import type { LetterOf } from "./letters.ts";
import { lettered, type OwnerBadge, ownerBadges } from "./owner-badges.ts";
import { type MarkOf, ownerKey } from "./owner-marks.ts";
import { OwnerTag } from "./owner-tag.tsx";
import "./owners.css";

interface OwnersProps {
  readonly desk: Desk;
  readonly view: ClusterView;
  readonly showSystem: boolean;
  readonly letterOf: LetterOf;
  readonly markOf: MarkOf;
  readonly highlighted: Signal<Highlight>;
}

/** More of them would push the drawing out of sight; the table has all. */
const mostShown = 10;

export function Owners({ desk, view, showSystem, letterOf, markOf, highlighted }: OwnersProps) {
  const badges = ownerBadges(view, showSystem);
  if (badges.length === 0) return null;
  const areSpread = new Set(badges.map(({ owner }) => owner.namespace)).size > 1;
  const shown = badges.slice(0, mostShown);
  return (
    <ul class="owners" aria-label={desk.t("workbench.picture.owners")}>
      {shown.map((badge) => (
        <Badge
          key={ownerKey(badge.owner)}
          desk={desk}
          badge={badge}
          areSpread={areSpread}
          letterOf={letterOf}
          markOf={markOf}
          highlighted={highlighted}
        />
      ))}
      {badges.length > shown.length && <li class="owner">+{badges.length - shown.length}</li>}
    </ul>
  );
}

interface BadgeProps extends Pick<OwnersProps, "desk" | "letterOf" | "markOf" | "highlighted"> {
  readonly badge: OwnerBadge;
  /** Owners of several namespaces are shown: names alone do not tell them apart. */
  readonly areSpread: boolean;
}

function Badge({ desk, badge, areSpread, letterOf, markOf, highlighted }: BadgeProps) {
  const { owner, resource, count, short, text, deleting } = badge;
  const { namespace, kind, name } = owner;
  const light = (): void => {
    highlighted.value = { kind: "owner", owner };
  };
  const dim = (): void => {
    highlighted.value = undefined;
  };
  return (
    <li>
      <button
        class="owner"
        type="button"
        data-kind={kind}
        aria-disabled={resource === undefined}
        onPointerEnter={light}
        onPointerLeave={dim}
        onFocus={light}
        onBlur={dim}
        onClick={() => resource !== undefined && desk.inspect({ resource, namespace, name })}
      >
        <OwnerTag mark={markOf(owner)} />
        <span>
          <span class="owner-kind">{kind}</span> <strong>{areSpread ? `${namespace}/${name}` : name}</strong>
        </span>
        {count !== "" && (
          <span class="count" data-short={short}>
            {count}
          </span>
        )}
        {text !== "" && <span class="owner-text">{text}</span>}
        {deleting && <span class="owner-deleting">{desk.t("workbench.picture.deleting")}</span>}
        {lettered(badge, letterOf).map(({ letter, revision, ready, pods }) => {
          return (
            <span key={revision} class="revision" title={revision}>
              <span class="revision-letter" aria-label={desk.t("workbench.picture.revision", { letter })} role="img">
                {letter}
              </span>
              <span class="count" data-short={ready < pods}>
                {ready}/{pods}
              </span>
            </span>
          );
        })}
      </button>
    </li>
  );
}
