// ValidatingWebhookConfiguration: servers that are asked whether a request may pass.

import type { ValidatingWebhookConfiguration } from "#cluster/api/generated/types.ts";
import { validatingWebhookConfigurations as type } from "#cluster/api/kinds.ts";
import { defineResource } from "../definition.ts";
import { changed, each } from "../filling.ts";
import { webhookConfigurationBasics, withWebhookDefaults } from "./webhooks.ts";

export const validatingWebhookConfigurations = defineResource<ValidatingWebhookConfiguration>(type, {
  ...webhookConfigurationBasics,
  updateNeedsResourceVersion: true,
  defaults: (object) => changed(object, "webhooks", (webhooks) => each(webhooks, withWebhookDefaults)),
});
