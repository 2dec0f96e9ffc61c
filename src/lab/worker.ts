// The worker's entry: joins a LabHost to the messages and timers of the thread.

import { LabHost } from "./lab-host.ts";
import type { PageMessage, WorkerMessage, WorkerStarted } from "./protocol.ts";

const post = (message: WorkerMessage | WorkerStarted): void => postMessage(message);
const host = new LabHost({
  awaitsTools: true,
  survivesFaults: true,
  wall: {
    now: () => performance.now(),
    schedule: (callback, delayMs) => {
      setTimeout(callback, delayMs);
    },
  },
  post,
});

let tools: Promise<typeof import("#world/tools.ts")> | undefined;

/**
 * kubectl, the shell's commands and what else only programs and checks need: fetched once a terminal is on the page, for until then a slow
 * line is the page's. The first line that is typed waits for them, the checks do, and so does a lab that begins with commands of its own.
 */
function fetchTools(): void {
  if (tools !== undefined) return;
  tools = import("#world/tools.ts");
  tools.then(
    ({ provideTools }) => {
      provideTools();
      host.toolsAreThere();
    },
    (error: unknown) => post({ kind: "failed", detail: String(error) }),
  );
  // The long words of kubectl's help come beside them.
  Promise.all([tools, import("#kubectl/help/generated/texts.ts")]).then(
    ([{ provideHelpTexts }, { helpTexts }]) => provideHelpTexts(helpTexts),
    () => {},
  );
}

const docsDelayMs = 1000;
let docsAsked = false;

/** Field documentation is large, and only `kubectl explain` needs it: after the start, once, and on a slow line after the tools. */
function loadDocsLater(): void {
  if (docsAsked) return;
  docsAsked = true;
  const later = new Promise((resolve) => setTimeout(resolve, docsDelayMs));
  Promise.all([tools, later])
    .then(() => import("#cluster/api/generated/docs.ts"))
    .then(
      ({ docs }) => host.provideDocs(docs),
      () => {
        docsAsked = false;
      },
    );
}

post({ kind: "started" });
addEventListener("message", (event: MessageEvent<PageMessage>) => {
  host.receive(event.data);
  if (event.data.kind === "open" && !host.waitsForTools) return;
  fetchTools();
  loadDocsLater();
});
