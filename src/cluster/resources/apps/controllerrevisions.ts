import { controllerRevisions as type } from "#cluster/api/kinds.ts";
import { ageCell, ageColumn, column, integerColumn, nameCell, nameColumn } from "../columns.ts";
import { defineResource } from "../definition.ts";

export const controllerRevisions = defineResource(type, {
  columns: [nameColumn, column("Controller", "Controller of the object"), integerColumn("Revision", ""), ageColumn],
  row: (revision, context) => {
    const owner = revision.metadata.ownerReferences?.find((reference) => reference.controller === true);
    const [group = "", version] = owner?.apiVersion.split("/") ?? [];
    const kind = `${owner?.kind}${version === undefined ? "" : `.${group}`}`.toLowerCase();
    return [
      nameCell(revision),
      owner === undefined ? "<none>" : `${kind}/${owner.name}`,
      revision.revision,
      ageCell(revision, context),
    ];
  },
});
