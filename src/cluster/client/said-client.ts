// A client whose refusals are logged as the library behind it logs them: lists of informers, the Lease, events.

import { wordsOf } from "#sim/errors.ts";
import { ApiError, ApiUnreachable } from "../api/errors.ts";
import type { ResourceType } from "../api/objects.ts";
import type { Client, ClientFactory } from "./client.ts";

/** A line of the log; `place` is the file and line of upstream that writes it. */
export type Log = (severity: "I" | "W" | "E", place: string, message: string) => void;

export interface SaidClients {
  readonly clients: ClientFactory;
  readonly say: Log;
  /** `kube-system/cloud-controller-manager` */
  readonly lease: string;
}

export function saidClients({ clients, say, lease }: SaidClients): ClientFactory {
  return { clientFor: (...whom) => said(clients.clientFor(...whom), say, lease) };
}

function said(client: Client, say: Log, lease: string): Client {
  const tell = (resource: ResourceType<unknown>, message: string, isList: boolean): void => {
    if (resource.plural === "leases")
      say(
        "E",
        "leaderelection.go:448",
        `"Error retrieving lease lock" err=${JSON.stringify(message)} lock=${JSON.stringify(lease)}`,
      );
    else if (resource.plural === "events")
      say("E", "event.go:359", `"Server rejected event (will not retry!)" err=${JSON.stringify(message)}`);
    else if (isList) {
      const failed = JSON.stringify(`failed to list *v1.${resource.kind}: ${message}`);
      const where = `reflector="k8s.io/client-go/informers/factory.go:160" type="*v1.${resource.kind}"`;
      say("E", "reflector.go:204", `"Failed to watch" err=${failed} logger="UnhandledError" ${where}`);
    }
  };
  const telling = <Result>(resource: ResourceType<unknown>, act: () => Result, isList = false): Result => {
    try {
      return act();
    } catch (error) {
      const isTold = error instanceof ApiError ? ![404, 409].includes(error.code) : error instanceof ApiUnreachable;
      if (isTold) tell(resource, wordsOf(error), isList);
      throw error;
    }
  };
  return {
    serves: (...asked) => client.serves(...asked),
    customTypes: () => client.customTypes(),
    get: (resource, ...rest) => telling(resource, () => client.get(resource, ...rest)),
    list: (resource, ...rest) => telling(resource, () => client.list(resource, ...rest), true),
    watch: (resource, ...rest) => telling(resource, () => client.watch(resource, ...rest), true),
    create: (resource, ...rest) => telling(resource, () => client.create(resource, ...rest)),
    createSubresource: (...asked) => client.createSubresource(...asked),
    update: (resource, ...rest) => telling(resource, () => client.update(resource, ...rest)),
    updateStatus: (...asked) => client.updateStatus(...asked),
    patchStatus: (...asked) => client.patchStatus(...asked),
    patch: (resource, ...rest) => telling(resource, () => client.patch(resource, ...rest)),
    delete: (...asked) => client.delete(...asked),
    deleteCollection: (...asked) => client.deleteCollection(...asked),
    ask: (...asked) => client.ask(...asked),
  };
}
