// What the cloud's controller manager gives to each of its controllers.

import type { ControllerContext } from "../../controllers/context.ts";
import type { Cloud } from "../cloud.ts";

/** A line of the log; `place` is the file and line of upstream that writes it. */
export type Log = (severity: "I" | "W" | "E", place: string, message: string) => void;

export interface CloudContext extends Pick<ControllerContext, "simulation" | "client" | "informers" | "events"> {
  readonly cloud: Cloud;
  readonly say: Log;
}

/** What upstream's utilruntime.HandleError logs. */
export function unhandled(say: Log, place: string, message: string): void {
  say("E", place, `"Unhandled Error" err=${JSON.stringify(message)} logger="UnhandledError"`);
}
