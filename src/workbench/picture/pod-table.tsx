// The picture in words: one row per pod, for screen readers and for whoever prefers reading.

import type { PodView } from "#lab/picture-view.ts";
import type { Desk } from "../desk.ts";
import { ColumnHeads } from "./column-heads.tsx";
import { Glyph } from "./glyphs.tsx";
import type { LetterOf } from "./letters.ts";
import { type MarkOf, ownerOf } from "./owner-marks.ts";
import { OwnerTag } from "./owner-tag.tsx";

const columns = ["namespace", "name", "status", "ready", "node", "owner", "revisions", "ip"] as const;

interface PodTableProps {
  readonly desk: Desk;
  readonly pods: readonly PodView[];
  readonly letterOf: LetterOf;
  readonly markOf: MarkOf;
}

export function PodTable({ desk, pods, letterOf, markOf }: PodTableProps) {
  const { t } = desk;
  return (
    <table class="pod-table">
      <caption class="visually-hidden">{t("workbench.picture.title")}</caption>
      <ColumnHeads desk={desk} columns={columns} />
      <tbody>
        {pods.map((pod) => (
          <tr key={pod.uid}>
            <td>{pod.namespace}</td>
            <th scope="row">
              <button
                class="table-link"
                type="button"
                onClick={() => desk.inspect({ resource: "pods", namespace: pod.namespace, name: pod.name })}
              >
                {pod.name}
              </button>
            </th>
            <td>
              <svg
                width="12"
                height="12"
                viewBox="-10 -10 20 20"
                role="img"
                aria-label={t(`workbench.picture.shapes.${pod.shape}`)}
              >
                <Glyph shape={pod.shape} size={20} />
              </svg>{" "}
              {pod.statusText}
              {pod.heldBy.length > 0 && ` · finalizers: ${pod.heldBy.join(" ")}`}
            </td>
            <td>{pod.ready}</td>
            <td>{pod.nodeName}</td>
            <td>
              {pod.ownerKind !== "" && (
                <>
                  <OwnerTag mark={markOf(ownerOf(pod))} /> {pod.ownerKind}/{pod.ownerName}
                </>
              )}
            </td>
            <td>{pod.revision === "" ? "" : `${letterOf(pod)} (${pod.revision})`}</td>
            <td>{pod.ip}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
