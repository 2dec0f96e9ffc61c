// ValidatingWebhookConfiguration: servers that are asked whether a request may pass.

import type { ValidatingWebhookConfiguration } from "#cluster/api/generated/types.ts";
import { validatingWebhookConfigurations as type } from "#cluster/api/kinds.ts";
import { ageCell, ageColumn, integerColumn, nameCell, nameColumn } from "../columns.ts";
import { defineResource } from "../definition.ts";
import { changed, each } from "../filling.ts";
import { validateWebhooks, withWebhookDefaults } from "./webhooks.ts";

export const validatingWebhookConfigurations = defineResource<ValidatingWebhookConfiguration>(type, {
  updateNeedsResourceVersion: true,
  categories: ["api-extensions"],
  generationFields: ["webhooks"],
  defaultedFields: ["webhooks"],
  defaults: (object) => changed(object, "webhooks", (webhooks) => each(webhooks, withWebhookDefaults)),
  validate: (object, errors) => validateWebhooks(object.webhooks, errors),
  validateUpdate: (object, old, errors) => validateWebhooks(object.webhooks, errors, old.webhooks),
  columns: [
    nameColumn,
    integerColumn("Webhooks", "Webhooks indicates the number of webhooks registered in this configuration"),
    ageColumn,
  ],
  row: (object, context) => [nameCell(object), object.webhooks?.length ?? 0, ageCell(object, context)],
});
