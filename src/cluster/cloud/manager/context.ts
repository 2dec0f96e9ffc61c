// What the cloud's controller manager gives to each of its controllers.

import type { Log } from "../../client/said-client.ts";
import type { ControllerContext } from "../../controllers/context.ts";
import type { Cloud } from "../cloud.ts";

export interface CloudContext extends Pick<ControllerContext, "simulation" | "client" | "informers" | "events"> {
  readonly cloud: Cloud;
  readonly say: Log;
}

/** What upstream's utilruntime.HandleError logs. */
export function unhandled(say: Log, place: string, message: string): void {
  say("E", place, `"Unhandled Error" err=${JSON.stringify(message)} logger="UnhandledError"`);
}
