import { componentStatuses as type } from "#cluster/api/kinds.ts";
import { column, nameCell, nameColumn } from "../columns.ts";
import { defineResource } from "../definition.ts";

export const componentStatuses = defineResource(type, {
  shortNames: ["cs"],
  verbs: ["get", "list"],
  deprecation: "v1 ComponentStatus is deprecated in v1.19+",
  // Upstream makes them up when asked: they have a name and nothing else that stored objects have.
  fromStorage: (stored) => ({ ...stored, metadata: { name: stored.metadata.name ?? "" } }),
  columns: [
    nameColumn,
    column("Status", "Status of the component conditions"),
    column("Message", "Message of the component conditions"),
    column("Error", "Error of the component conditions"),
  ],
  row: (component) => {
    const healthy = component.conditions?.find((condition) => condition.type === "Healthy");
    let status = "Unknown";
    if (healthy !== undefined) status = healthy.status === "True" ? "Healthy" : "Unhealthy";
    return [nameCell(component), status, healthy?.message ?? "", healthy?.error ?? ""];
  },
});
