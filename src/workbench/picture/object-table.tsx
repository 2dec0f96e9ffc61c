// The objects of the lab in words.

import type { ClusterView, ShownObject } from "#lab/picture-view.ts";
import type { Desk } from "../desk.ts";
import { ColumnHeads } from "./column-heads.tsx";

const columns = ["namespace", "kind", "name", "status", "finalizers", "owner", "joined"] as const;

interface ObjectTableProps {
  readonly desk: Desk;
  readonly view: ClusterView;
  readonly objects: readonly ShownObject[];
}

export function ObjectTable({ desk, view, objects }: ObjectTableProps) {
  const { t } = desk;
  if (objects.length === 0) return null;
  const nameOf = new Map([
    ...view.pods.map(({ uid, name }) => [uid, `Pod/${name}`] as const),
    ...view.objects.map(({ uid, kind, name }) => [uid, `${kind}/${name}`] as const),
  ]);
  const joinedTo = (uid: string): string =>
    view.ties
      .filter(({ kind, from, to }) => kind === "bond" && (from === uid || to === uid))
      .map(({ from, to }) => nameOf.get(from === uid ? to : from) ?? "")
      .join(" ");
  return (
    <table class="pod-table object-table">
      <caption class="visually-hidden">{t("workbench.picture.objects")}</caption>
      <ColumnHeads desk={desk} columns={columns} />
      <tbody>
        {objects.map(({ uid, resource, kind, namespace, name, text, deleting, finalizers, owners }) => (
          <tr key={uid}>
            <td>{namespace}</td>
            <td>{kind}</td>
            <th scope="row">
              <button class="table-link" type="button" onClick={() => desk.inspect({ resource, namespace, name })}>
                {name}
              </button>
            </th>
            <td>{[text, deleting ? t("workbench.picture.deleting") : ""].filter((part) => part !== "").join(" · ")}</td>
            <td>{finalizers.join(" ")}</td>
            <td>{owners.map((owner) => `${owner.kind}/${owner.name}`).join(" ")}</td>
            <td>{joinedTo(uid)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
