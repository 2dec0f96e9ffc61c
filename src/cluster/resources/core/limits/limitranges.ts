import type { LimitRangeItem } from "#cluster/api/generated/types.ts";
import { limitRanges as type } from "#cluster/api/kinds.ts";
import { createdAtCell, createdAtColumn, nameCell, nameColumn } from "../../columns.ts";
import { defineResource } from "../../definition.ts";
import { changed, each, filled } from "../../filling.ts";
import { validateLimitRange } from "./limitrange-validation.ts";

export const limitRanges = defineResource(type, {
  shortNames: ["limits"],
  createOnUpdate: true,
  // A range that nobody named gets a name that nobody can guess.
  prepareForCreate: (range) =>
    range.metadata.name === "" ? { ...range, metadata: { ...range.metadata, name: range.metadata.uid ?? "" } } : range,
  defaults: (range) => changed(range, "spec", (spec) => changed(spec, "limits", (limits) => each(limits, itemDefaults))),
  validate: (range, errors) => validateLimitRange(range.spec?.limits ?? [], errors),
  validateUpdate: (range, old, errors) => {
    if (range.spec !== old.spec) validateLimitRange(range.spec?.limits ?? [], errors);
  },
  columns: [nameColumn, createdAtColumn],
  row: (range) => [nameCell(range), createdAtCell(range)],
});

/** Containers without limit get the maximum, without request the limit, or the minimum. */
function itemDefaults(item: LimitRangeItem): LimitRangeItem {
  if (item.type !== "Container") return item;
  const limit = filled(item.default ?? {}, item.max ?? {});
  const request = filled(filled(item.defaultRequest ?? {}, limit), item.min ?? {});
  const withLimit = Object.keys(limit).length === 0 || limit === item.default ? item : { ...item, default: limit };
  return Object.keys(request).length === 0 || request === item.defaultRequest
    ? withLimit
    : { ...withLimit, defaultRequest: request };
}
