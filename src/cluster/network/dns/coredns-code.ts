// What of CoreDNS comes late, in one place.

export { lameduckLine, logAnswer, processorLine, startLines } from "./coredns-words.ts";
export { configurationSum, corefileSettings } from "./corefile-reader.ts";
