// What of CoreDNS comes late, in one place.

export { awaitCluster, cannotListen, findCorefile, reload, terminate, unready } from "./coredns-acts.ts";
export { logAnswer, processorLine, startLines } from "./coredns-words.ts";
export { corefileSettings } from "./corefile-reader.ts";
