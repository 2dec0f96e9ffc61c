// The heads of the picture's tables.

import type { Desk } from "../desk.ts";

export type Column =
  | "namespace"
  | "name"
  | "status"
  | "ready"
  | "node"
  | "owner"
  | "ip"
  | "type"
  | "clusterIp"
  | "endpoints"
  | "connections"
  | "kind"
  | "count"
  | "revisions"
  | "finalizers"
  | "joined";

interface ColumnHeadsProps {
  readonly desk: Desk;
  readonly columns: readonly Column[];
}

export function ColumnHeads({ desk, columns }: ColumnHeadsProps) {
  return (
    <thead>
      <tr>
        {columns.map((column) => (
          <th key={column} scope="col">
            {desk.t(`workbench.picture.columns.${column}`)}
          </th>
        ))}
      </tr>
    </thead>
  );
}
