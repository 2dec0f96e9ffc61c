// The worker's entry: joins a LabHost to the messages and timers of the thread.

import { LabHost } from "./lab-host.ts";
import type { PageMessage, WorkerMessage } from "./protocol.ts";

const post = (message: WorkerMessage): void => postMessage(message);
const host = new LabHost({
  awaitsTools: true,
  wall: {
    now: () => performance.now(),
    schedule: (callback, delayMs) => {
      setTimeout(callback, delayMs);
    },
  },
  post,
});

/** kubectl and the shell's commands: fetched while the world boots; the first line that is typed waits for them. */
const tools = import("#world/tools.ts");
tools.then(
  () => host.provideTools(),
  (error: unknown) => post({ kind: "failed", detail: String(error) }),
);

/** The long words of kubectl's help: fetched while the world boots, there before anyone can type. */
Promise.all([tools, import("#kubectl/help/texts.ts")]).then(
  ([{ provideHelpTexts }, { helpTexts }]) => provideHelpTexts(helpTexts),
  () => {},
);

const docsDelayMs = 1000;
let docsAsked = false;

/** Field documentation is larger than the rest of the lab, and only `kubectl explain` needs it: after the start, once. */
function loadDocsLater(): void {
  if (docsAsked) return;
  docsAsked = true;
  setTimeout(() => {
    import("#cluster/api/generated/docs.ts").then(
      ({ docs }) => host.provideDocs(docs),
      () => {
        docsAsked = false;
      },
    );
  }, docsDelayMs);
}

addEventListener("message", (event: MessageEvent<PageMessage>) => {
  host.receive(event.data);
  loadDocsLater();
});
