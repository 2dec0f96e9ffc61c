// The owners of Pods in words.

import type { ClusterView } from "#lab/picture-view.ts";
import type { Desk } from "../desk.ts";
import { ColumnHeads } from "./column-heads.tsx";
import type { LetterOf } from "./letters.ts";
import { lettered, ownerBadges } from "./owner-badges.ts";
import { type MarkOf, ownerKey } from "./owner-marks.ts";
import { OwnerTag } from "./owner-tag.tsx";

const columns = ["namespace", "kind", "name", "count", "status", "revisions"] as const;

interface OwnerTableProps {
  readonly desk: Desk;
  readonly view: ClusterView;
  readonly showSystem: boolean;
  readonly letterOf: LetterOf;
  readonly markOf: MarkOf;
}

export function OwnerTable({ desk, view, showSystem, letterOf, markOf }: OwnerTableProps) {
  const { t } = desk;
  // Bare Pods are rows of the Pods' table.
  const badges = ownerBadges({ ...view, objects: [] }, showSystem).filter(({ owner }) => owner.kind !== "Pod");
  if (badges.length === 0) return null;
  return (
    <table class="pod-table owner-table">
      <caption class="visually-hidden">{t("workbench.picture.owners")}</caption>
      <ColumnHeads desk={desk} columns={columns} />
      <tbody>
        {badges.map((badge) => {
          const { owner, resource, count, text, deleting } = badge;
          const { namespace, kind, name } = owner;
          return (
            <tr key={ownerKey(owner)}>
              <td>{namespace}</td>
              <td>{kind}</td>
              <th scope="row">
                <OwnerTag mark={markOf(owner)} />{" "}
                {resource === undefined ? (
                  name
                ) : (
                  <button class="table-link" type="button" onClick={() => desk.inspect({ resource, namespace, name })}>
                    {name}
                  </button>
                )}
              </th>
              <td>{count}</td>
              <td>{[text, deleting ? t("workbench.picture.deleting") : ""].filter((part) => part !== "").join(" · ")}</td>
              <td>
                {lettered(badge, letterOf)
                  .map(({ letter, revision, ready, pods }) => `${letter} (${revision}) ${ready}/${pods}`)
                  .join(", ")}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
