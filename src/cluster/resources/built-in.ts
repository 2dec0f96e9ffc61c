// Every built-in kind, in the order of discovery documents: groups as the API server installs them, kinds by name.

import { controllerRevisions } from "./apps/controllerrevisions.ts";
import { deployments } from "./apps/deployments.ts";
import { replicaSets } from "./apps/replicasets.ts";
import { leases } from "./coordination/leases.ts";
import { configMaps } from "./core/configmaps.ts";
import { endpoints } from "./core/endpoints.ts";
import { events } from "./core/events.ts";
import { namespaces } from "./core/namespaces.ts";
import { nodes } from "./core/nodes.ts";
import { pods } from "./core/pods.ts";
import { secrets } from "./core/secrets.ts";
import { serviceAccounts } from "./core/serviceaccounts.ts";
import { services } from "./core/services.ts";
import type { ResourceDefinition } from "./definition.ts";
import { endpointSlices } from "./discovery/endpointslices.ts";
import { eventsV1 } from "./events/events.ts";

export const builtInResources: readonly ResourceDefinition[] = [
  configMaps,
  endpoints,
  events,
  namespaces,
  nodes,
  pods,
  secrets,
  serviceAccounts,
  services,
  controllerRevisions,
  deployments,
  replicaSets,
  leases,
  endpointSlices,
  eventsV1,
];
