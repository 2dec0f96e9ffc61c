// All that `late-proxy.ts` stands for.

export { readConfiguration } from "./configuration-reader.ts";
export { failedLine, startLines, syncedLines } from "./log.ts";
export { proxierFor } from "./other-proxiers.ts";
export { serveProxyPage } from "./pages.ts";
