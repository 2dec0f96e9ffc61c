// The worker's entry: joins a LabHost to the messages and timers of the thread.

import { LabHost } from "./lab-host.ts";
import type { PageMessage } from "./protocol.ts";

const host = new LabHost({
  wall: {
    now: () => performance.now(),
    schedule: (callback, delayMs) => {
      setTimeout(callback, delayMs);
    },
  },
  post: (message) => postMessage(message),
});

addEventListener("message", (event: MessageEvent<PageMessage>) => host.receive(event.data));
