// What `kubectl get events` shows, the same in both groups (pkg/printers/internalversion, printEvent).

import type { CoreV1Event } from "#cluster/api/generated/types.ts";
import { asciiLowerCase } from "#sim/ascii.ts";
import { column, nameColumn, sinceCell } from "../../columns.ts";
import type { TableCell, TableColumn, TableContext, Typed } from "../../definition.ts";

export const eventColumns: readonly TableColumn[] = [
  column("Last Seen", ""),
  column("Type", ""),
  column("Reason", ""),
  column("Object", ""),
  column("Subobject", "", { wide: true }),
  column("Source", "", { wide: true }),
  column("Message", ""),
  column("First Seen", "", { wide: true }),
  column("Count", "", { wide: true }),
  { ...nameColumn, priority: 1 },
];

export function eventRow(event: Typed<CoreV1Event>, context: TableContext): readonly TableCell[] {
  const first = event.firstTimestamp ?? event.eventTime;
  const last = event.series?.lastObservedTime ?? event.lastTimestamp ?? first;
  const { kind = "", name = "", fieldPath = "" } = event.involvedObject ?? {};
  return [
    sinceCell(last, context),
    event.type ?? "",
    event.reason ?? "",
    name === "" ? asciiLowerCase(kind) : `${asciiLowerCase(kind)}/${name}`,
    fieldPath,
    sourceCell(event),
    (event.message ?? "").trim(),
    sinceCell(first, context),
    event.series?.count ?? (event.count || 1),
    event.metadata.name ?? "",
  ];
}

function sourceCell(event: Typed<CoreV1Event>): string {
  const component = event.source?.component || event.reportingComponent || "";
  const host = event.source?.host || event.reportingInstance || "";
  return host === "" ? component : `${component}, ${host}`;
}
