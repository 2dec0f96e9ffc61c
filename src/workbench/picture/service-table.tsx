// The Services of the picture in words, with what has gone through them.

import type { PodView, ServiceView } from "#lab/picture-view.ts";
import type { Desk } from "../desk.ts";
import { ColumnHeads } from "./column-heads.tsx";
import { keyOf } from "./links.ts";
import type { TrafficCount } from "./traffic-counts.ts";

const columns = ["namespace", "name", "type", "clusterIp", "endpoints", "connections"] as const;

interface ServiceTableProps {
  readonly desk: Desk;
  readonly services: readonly ServiceView[];
  readonly pods: readonly PodView[];
  readonly counts: ReadonlyMap<string, TrafficCount>;
}

export function ServiceTable({ desk, services, pods, counts }: ServiceTableProps) {
  const { t } = desk;
  if (services.length === 0) return null;
  const podNames = new Map(pods.map(({ uid, name }) => [uid, name]));
  return (
    <table class="pod-table service-table">
      <caption class="visually-hidden">{t("workbench.picture.services")}</caption>
      <ColumnHeads desk={desk} columns={columns} />
      <tbody>
        {services.map((service) => {
          const { namespace, name, type, clusterIp, endpoints } = service;
          return (
            <tr key={keyOf(service)}>
              <td>{namespace}</td>
              <th scope="row">
                <button class="table-link" type="button" onClick={() => desk.inspect({ resource: "services", namespace, name })}>
                  {name}
                </button>
              </th>
              <td>{type}</td>
              <td>{clusterIp}</td>
              <td>{endpoints.length === 0 ? "0" : endpoints.map((uid) => podNames.get(uid) ?? uid).join(" ")}</td>
              <td>{connectionsText(desk, counts.get(keyOf(service)))}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function connectionsText({ t }: Desk, { count, failed }: TrafficCount = { count: 0, failed: 0 }): string {
  return failed === 0 ? String(count) : t("workbench.picture.someFailed", { count, failed });
}
