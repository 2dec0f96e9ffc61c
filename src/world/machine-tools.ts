// Programs that every machine of the cluster has beside the standard ones.

import { commandFiles } from "#shell/commands.ts";

export const machineTools = commandFiles("gnu");
