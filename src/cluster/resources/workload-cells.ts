// Cells and columns that workloads share: containers, images, selector.

import type { LabelSelector, PodTemplateSpec } from "#cluster/api/generated/types.ts";
import { formatLabelSelector, formatLabelSet } from "#cluster/api/labels.ts";
import { column } from "./columns.ts";
import type { TableColumn } from "./definition.ts";

export const containersColumn: TableColumn = column("Containers", "Names of each container in the template.", { wide: true });
export const imagesColumn: TableColumn = column("Images", "Images referenced by each container in the template.", { wide: true });

/** Each kind's own words for its selector. */
export function selectorColumnOf(description: string): TableColumn {
  return column("Selector", description, { wide: true });
}

/** Names and images of a template's containers, joined by commas. */
export function containerCells(template: PodTemplateSpec | undefined): readonly [names: string, images: string] {
  const containers = template?.spec?.containers ?? [];
  return [containers.map((container) => container.name).join(","), containers.map((container) => container.image ?? "").join(",")];
}

export function selectorCell(selector: LabelSelector | undefined): string {
  return formatLabelSelector(selector);
}

/** `a=1,b=2`, or `<none>`. */
export function labelsCell(labels: { readonly [key: string]: string } | undefined): string {
  return formatLabelSet(labels) || "<none>";
}

/** At most three items, then how many more there are. */
export function shortList(items: readonly string[], empty: string): string {
  if (items.length === 0) return empty;
  const shown = items.slice(0, 3).join(",");
  return items.length > 3 ? `${shown} + ${items.length - 3} more...` : shown;
}
