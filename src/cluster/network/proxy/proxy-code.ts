// All that `late-proxy.ts` stands for.

export { readConfiguration } from "./configuration-reader.ts";
export { startLines, syncedLines } from "./log.ts";
export { serveProxyPage } from "./pages.ts";
